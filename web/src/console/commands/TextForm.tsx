import type { Receipt } from '@charter/client';
import { type SyntheticEvent, useId, useState } from 'react';
import controlStyles from '../page-parts/Controls.module.css';
import { RequestButton } from '../../ui/RequestButton';
import { useWords } from '../words';
import styles from './Command.module.css';
import { DoneNote, useResult } from './DoneNote';
import { CommandNote } from './CommandNote';
import type { DirectCommand } from './own-routes';
import { useCommand } from './useCommand';
import { useSendWords } from './useSendWords';

type TextOf = Readonly<{
  id: string;
  label: string;
  /** The stored text. */
  value: string;
  /** `send`: the words of the button. `done`: the words that announce the change. */
  send: string;
  done: string;
  commandOf: (text: string) => DirectCommand;
}>;

/** A form with one text field, for example for a name. The button sends the text to the service. */
export function TextForm({ id, label, value, send, done, commandOf }: TextOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const sendWords = useSendWords();
  /** The text of the field; undefined until the person types. */
  const [typed, setTyped] = useState<string>();
  const [fieldId, noteId] = [useId(), useId()];
  const { result, say } = useResult();
  const { outcome } = command;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const wanted = (typed ?? value).trim();
    if (command.isBusy) {
      say(text('command.wait'));
      return;
    }
    say('');
    if (wanted === value) {
      say(text('command.same'));
      return;
    }
    const forget = () => setTyped((now) => (now?.trim() === wanted ? undefined : now));
    const stored = (receipt: Receipt) => {
      forget();
      say(done, receipt);
    };
    command.runOrDraft(commandOf(wanted), stored, forget);
  };
  return (
    <form method="post" noValidate className={styles['form']} onSubmit={submit}>
      <label htmlFor={fieldId}>{label}</label>
      <input
        id={fieldId}
        type="text"
        autoComplete="off"
        value={typed ?? value}
        onChange={({ target }) => {
          setTyped(target.value);
          command.reset();
        }}
        aria-invalid={outcome.is === 'refused' && outcome.failure.reason === 'malformed'}
        aria-describedby={noteId}
      />
      <CommandNote id={noteId} command={command} />
      <div className={styles['buttons']}>
        <RequestButton type="submit" className={controlStyles['button']} isBusy={command.isBusy}>
          {sendWords(send)}
        </RequestButton>
      </div>
      <DoneNote {...{ id, result }} />
    </form>
  );
}
