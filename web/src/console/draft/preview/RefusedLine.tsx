import type { Preview } from '@charter/client';
import { DisappearingButton } from '../../page-parts/DisappearingButton';
import tagStyles from '../../page-parts/Tag.module.css';
import { RefusalHelp } from '../../organization/plan/try/RefusalHelp';
import type { DraftCommand } from '../address/draft-address';
import { commandInWords, type DraftWords } from '../words/command-words';
import styles from '../Draft.module.css';
import { refusalInWords } from '../../commands/refusal-words';

type LineOf = Readonly<{
  id: string;
  preview: Preview | undefined;
  index: number;
  words: DraftWords;
  /** Adds a command before this one; undefined if the person cannot change the list of commands here. */
  insert?: ((command: DraftCommand) => void) | undefined;
}>;

/** Why the service would refuse a command, and what would help. Empty if the service would accept the command. */
export function RefusedLine({ id, preview, index, words, insert }: LineOf) {
  const refused = [preview?.refused, ...(preview?.alsoRefused ?? [])].find((one) => one?.index === index);
  if (!refused) return null;
  const { reason, help } = refusalInWords(refused.problem, words);
  const before =
    insert &&
    ((command: DraftCommand) => (
      <p key={JSON.stringify(command)}>
        <DisappearingButton onClick={() => insert(command)}>
          {words.text('draft.insert', { command: commandInWords(command, words) })}
        </DisappearingButton>
      </p>
    ));
  return (
    <>
      <p className={styles['refused']}>
        <span className={tagStyles['tag']} data-state="bad">
          {words.text('draft.refused')}
        </span>{' '}
        <span>{reason}</span> {help !== undefined && <span>{help}</span>}
      </p>
      <RefusalHelp {...{ id, before }} problem={refused.problem} />
    </>
  );
}
