import type { ComponentPropsWithRef } from 'react';
import styles from './Field.module.css';

type FieldOf = Readonly<{ id: string; label: string } & ComponentPropsWithRef<'input'>>;

/**
 * A visible label with an input field. React does not control the field, so that the field keeps the text that a person
 * typed before the script loaded.
 */
export function Field({ id, label, ...input }: FieldOf) {
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={styles['box']}>
        <input id={id} name={id} autoCapitalize="none" autoCorrect="off" spellCheck={false} {...input} />
      </div>
    </div>
  );
}
