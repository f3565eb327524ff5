import type { Preview } from '@charter/client';
import tagStyles from '../../page-parts/Tag.module.css';
import type { ConsoleWords } from '../../words';
import styles from '../Draft.module.css';
import { refusalInWords } from '../../commands/refusal-words';

type LineOf = Readonly<{ preview: Preview | undefined; index: number; words: ConsoleWords }>;

/** Why the service would refuse a command, and what would help. Empty if the service would accept the command. */
export function RefusedLine({ preview, index, words }: LineOf) {
  const refused = [preview?.refused, ...(preview?.alsoRefused ?? [])].find((one) => one?.index === index);
  if (!refused) return null;
  const { reason, help } = refusalInWords(refused.problem, words);
  return (
    <p className={styles['refused']}>
      <span className={tagStyles['tag']} data-state="bad">
        {words.text('draft.refused')}
      </span>{' '}
      <span>{reason}</span> {help !== undefined && <span>{help}</span>}
    </p>
  );
}
