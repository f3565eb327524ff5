import type { Receipt } from '@charter/client';
import { type SyntheticEvent, useId, useState } from 'react';
import styles from '../../commands/Command.module.css';
import { DoneNote, useResult } from '../../commands/DoneNote';
import { CommandNote } from '../../commands/CommandNote';
import { type ChangeQuestion, QuestionDialog } from '../../commands/CommandDialog';
import type { DirectCommand } from '../../commands/own-routes';
import { useCommand } from '../../commands/useCommand';
import { useSendWords } from '../../commands/useSendWords';
import { useDrafting } from '../../drafting/drafting-context';
import controlStyles from '../../page-parts/Controls.module.css';
import { RequestButton } from '../../../ui/RequestButton';
import { useWords } from '../../words';

type ChoiceOf = Readonly<{
  id: string;
  label: string;
  /** The stored value. */
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  done: string;
  commandOf: (value: string) => DirectCommand;
  /**
   * The question that the form asks before it stores a value; undefined if the value needs no question. While a draft
   * is open, the form asks nothing.
   */
  questionOf?: (value: string) => ChangeQuestion | undefined;
}>;

/** A form for a setting with a few possible values. The button stores the chosen value. */
export function ChoiceForm({ id, label, value, options, done, commandOf, questionOf }: ChoiceOf) {
  const { text } = useWords();
  const command = useCommand(id);
  const sendWords = useSendWords();
  const [chosen, setChosen] = useState<string>();
  const { result, say } = useResult();
  const selectId = useId();
  const { isOpen: isDrafting } = useDrafting();
  const [question, setQuestion] = useState<ChangeQuestion>();
  const wanted = chosen ?? value;
  const forget = () => setChosen((now) => (now === wanted ? undefined : now));
  const stored = (receipt: Receipt) => {
    forget();
    say(done, receipt);
  };
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
    const asked = isDrafting ? undefined : questionOf?.(wanted);
    if (asked) setQuestion(asked);
    else command.runOrDraft(commandOf(wanted), stored, forget);
  };
  return (
    <>
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
          <RequestButton type="submit" className={controlStyles['button']} isBusy={command.isBusy}>
            {sendWords(text('settings.save'))} <span className="unseen">{label}</span>
          </RequestButton>
        </div>
        <DoneNote {...{ id, result }} />
      </form>
      {question && (
        <QuestionDialog
          {...{ id, question }}
          wanted={commandOf(wanted)}
          onClose={() => setQuestion(undefined)}
          onDone={stored}
        />
      )}
    </>
  );
}
