import type { Receipt } from '@charter/client';
import { type SyntheticEvent, useId, useState } from 'react';
import styles from '../../commands/Command.module.css';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandNote } from '../../commands/CommandNote';
import type { DirectCommand } from '../../commands/own-routes';
import { useCommand } from '../../commands/useCommand';
import { useSendWords } from '../../commands/useSendWords';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';

type ChoiceOf = Readonly<{
  id: string;
  label: string;
  /** The stored value. */
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  done: string;
  commandOf: (value: string) => DirectCommand;
}>;

/** A setting with a few values as a form. The button stores the chosen value. */
export function ChoiceForm({ id, label, value, options, done, commandOf }: ChoiceOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const sendWords = useSendWords();
  const [chosen, setChosen] = useState<string>();
  const { result, say } = useResult();
  const selectId = useId();
  const wanted = chosen ?? value;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (command.isBusy) {
      say(text('command.wait'));
      return;
    }
    say('');
    if (wanted === value) {
      say(text('command.same'));
      return;
    }
    const forget = () => setChosen(undefined);
    const stored = (receipt: Receipt) => {
      forget();
      say(done, receipt);
    };
    command.runOrDraft(commandOf(wanted), stored, forget);
  };
  return (
    <form method="post" noValidate className={styles['form']} onSubmit={submit}>
      <label htmlFor={selectId}>{text('settings.new-value', { setting: label })}</label>
      <select id={selectId} value={wanted} onChange={({ target }) => setChosen(target.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      <CommandNote command={command} />
      <div className={styles['buttons']}>
        <button
          type="submit"
          className={controlStyles['button']}
          aria-disabled={command.isBusy}
          aria-busy={command.isBusy}
        >
          {sendWords(text('settings.save'))} <span className="unseen">{label}</span>
        </button>
      </div>
      <DoneNote {...{ id, result }} />
    </form>
  );
}
