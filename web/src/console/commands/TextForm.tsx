import { type SyntheticEvent, useId, useRef, useState } from 'react';
import type { OrganizationChange } from '../api';
import controlStyles from '../page-parts/Controls.module.css';
import { useWords } from '../words';
import styles from './Command.module.css';
import { CommandNote } from './CommandNote';
import { useCommand } from './useCommand';

type TextOf = Readonly<{
  id: string;
  label: string;
  /** The stored text. */
  value: string;
  /** The words of the button, and of the result. */
  send: string;
  done: string;
  changeTo: (text: string) => OrganizationChange;
}>;

/** A form with one text, such as a name. The button stores the text. */
export function TextForm({ id, label, value, send, done, changeTo }: TextOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const field = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const [said, setSaid] = useState('');
  const { outcome } = command;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = field.current?.value.trim() ?? '';
    setSaid('');
    if (wanted === value) {
      setSaid(text('command.same'));
      return;
    }
    command.run(changeTo(wanted), () => setSaid(done));
  };
  return (
    <form method="post" noValidate className={styles['form']} onSubmit={submit}>
      <label htmlFor={fieldId}>{label}</label>
      <input
        key={value}
        ref={field}
        id={fieldId}
        type="text"
        autoComplete="off"
        defaultValue={value}
        aria-invalid={outcome.is === 'refused' && outcome.failure.reason === 'malformed'}
      />
      <CommandNote command={command} />
      <div className={styles['buttons']}>
        <button
          type="submit"
          className={controlStyles['button']}
          aria-disabled={command.isBusy}
          aria-busy={command.isBusy}
        >
          {send}
        </button>
      </div>
      <p role="status">{said}</p>
    </form>
  );
}
