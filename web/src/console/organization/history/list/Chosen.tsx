import type { HistoryEvent } from '@charter/client';
import controlStyles from '../../../page-parts/Controls.module.css';
import { saveFile } from '../../../save-file';
import { MomentLink } from '../../lists/MomentLink';
import type { HistoryWords } from '../wording/useHistoryWords';
import styles from './HistoryList.module.css';

type ChosenOf = Readonly<{ id: string; words: HistoryWords; events: readonly HistoryEvent[]; onClear: () => void }>;

/** The actions on the chosen events. */
export function Chosen({ id, words, events, onClear }: ChosenOf) {
  const { text } = words;
  const revisions = events.map(({ revision }) => revision);
  const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
  return (
    <div role="status" className={styles['chosen']}>
      {events.length > 0 && (
        <>
          <span>{text('history.chosen', { count: events.length })}</span>
          {events.length > 1 && (
            <MomentLink to={`/org/${id}/compare`} query={{ from: String(first), to: String(last) }}>
              {text('history.compare')}
            </MomentLink>
          )}
          <button type="button" className={controlStyles['button']} onClick={() => save(events, `${id}-events.ndjson`)}>
            {text('history.export')}
          </button>
          <button type="button" className={controlStyles['button']} onClick={onClear}>
            {text('history.choose-none')}
          </button>
        </>
      )}
    </div>
  );
}

/** Saves events as a file with one event on each line, oldest first. */
function save(events: readonly HistoryEvent[], name: string): void {
  const sorted = [...events].sort((one, other) => one.revision - other.revision);
  const lines = sorted.map((event) => `${JSON.stringify(event)}\n`);
  saveFile(name, lines, 'application/x-ndjson');
}
