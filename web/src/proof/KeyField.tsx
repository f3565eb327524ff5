import { type ChangeEvent, useEffect, useId, useState } from 'react';
import styles from './Proof.module.css';
import { noteKey } from './file-check/signed-note';
import { useProofWords } from './useProofWords';

type FieldOf = Readonly<{ value: string; onChange: (value: string) => void }>;

/**
 * The field for the public key of the service. The person must have got the public key from another source than the
 * file.
 */
export function KeyField({ value, onChange }: FieldOf) {
  const { text } = useProofWords();
  const [field, hint] = [useId(), useId()];
  const isKey = useIsKey(value);
  return (
    <div className={styles['field']}>
      <label htmlFor={field}>{text('key.label')}</label>
      <input
        {...{ id: field, value }}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={hint}
        aria-invalid={isKey === false}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => onChange(target.value.trim())}
      />
      <p id={hint}>
        {isKey === false ? <span className={styles['wrong']}>{text('key.wrong')}</span> : text('key.hint')}{' '}
        {text('key.where')}
      </p>
    </div>
  );
}

/** The text in the field, for `trustOf`: empty, or a key; undefined if the text is neither. */
export function usePastedKey(text: string): string | undefined {
  return useIsKey(text) || text === '' ? text : undefined;
}

/**
 * Whether the text is a public key in the form of a verifier key. Undefined for an empty text, and while the browser
 * computes the key's id.
 */
function useIsKey(value: string): boolean | undefined {
  const [checked, setChecked] = useState<Readonly<{ value: string; isKey: boolean }>>();
  useEffect(() => {
    let isCurrent = true;
    const set = (isKey: boolean) => {
      if (isCurrent) setChecked({ value, isKey });
    };
    if (value)
      noteKey(value).then(
        () => set(true),
        () => set(false),
      );
    return () => {
      isCurrent = false;
    };
  }, [value]);
  return checked?.value === value ? checked.isKey : undefined;
}
