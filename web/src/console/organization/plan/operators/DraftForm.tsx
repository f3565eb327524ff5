import {
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useId,
  useState,
} from 'react';
import styles from '../../../commands/Command.module.css';
import { CommandNote } from '../../../commands/CommandNote';
import { useCommand } from '../../../commands/useCommand';
import type { DraftCommand } from '../../../draft/address/draft-address';
import controlStyles from '../../../page-parts/Controls.module.css';
import { useWords } from '../../../words';

/** Returns the text that the person typed into a form field with this name; empty if the person typed nothing. */
export type FormTexts = (field: string) => string;
/** A command, or the name of the form field whose text the command cannot contain. */
export type MadeCommand = DraftCommand | Readonly<{ wrong: string }>;

const WrongField = createContext<string | undefined>(undefined);

type FormOf = Readonly<{
  id: string;
  title: string;
  commandOf: (texts: FormTexts) => MadeCommand;
  children: ReactNode;
}>;

/**
 * A form that adds its command to the open draft instead of sending the command to the service. If no draft is open,
 * the form begins a draft.
 */
export function DraftForm({ id, title, commandOf, children }: FormOf) {
  const { text } = useWords();
  const heading = useId();
  const command = useCommand(id);
  const [wrong, setWrong] = useState<string>();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    // A field with a part of a date has an empty value, and the browser reports the field as invalid.
    const unread = form.querySelector<HTMLInputElement>('input:invalid');
    const made = unread
      ? { wrong: unread.name }
      : commandOf((field) => {
          const value = data.get(field);
          return typeof value === 'string' ? value.trim() : '';
        });
    if ('wrong' in made) {
      setWrong(made.wrong);
      const field = form.querySelector<HTMLElement>(`[name="${made.wrong}"]`);
      field?.closest('details')?.setAttribute('open', '');
      field?.focus();
      return;
    }
    setWrong(undefined);
    void command.toDraft([made], () => form.reset());
  };
  return (
    <form method="post" noValidate className={styles['form']} aria-labelledby={heading} onSubmit={submit}>
      <h3 id={heading}>{title}</h3>
      <WrongField value={wrong}>{children}</WrongField>
      <CommandNote command={command} />
      <div className={styles['buttons']}>
        <button type="submit" className={controlStyles['button']}>
          {text('drafting.add')} <span className="unseen">({title})</span>
        </button>
      </div>
    </form>
  );
}

type FieldOf = InputHTMLAttributes<HTMLInputElement> & Readonly<{ name: string; label: string; hint: string }>;

/**
 * A field of a `DraftForm`, with its unit and its bounds. If the typed text is not valid, screen readers announce the
 * bounds.
 */
export function DraftField({ name, label, hint, ...input }: FieldOf) {
  const [fieldId, hintId] = [useId(), useId()];
  const isWrong = useContext(WrongField) === name;
  return (
    <>
      <label htmlFor={fieldId}>{label}</label>
      <input
        {...{ type: 'text', autoComplete: 'off', ...input, name }}
        id={fieldId}
        aria-invalid={isWrong}
        aria-describedby={hintId}
      />
      <p id={hintId} className={styles['hint']} role={isWrong ? 'alert' : undefined}>
        {hint}
      </p>
    </>
  );
}
