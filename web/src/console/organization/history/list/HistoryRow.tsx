import type { HistoryEvent } from '@charter/client';
import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { MOMENT, MomentText, Sentence } from '../../../page-parts/Moment';
import tagStyles from '../../../page-parts/Tag.module.css';
import type { HistoryWords } from '../wording/useHistoryWords';
import styles from './EventGrid.module.css';
import { isOfBilling, type ListRow } from './rows';

type RowOf = Readonly<{
  row: ListRow | undefined;
  index: number;
  words: HistoryWords;
  style: CSSProperties;
  isActive: boolean;
  isChosen: boolean;
  /** Whether the address parameter `event` contains the revision of this event. */
  isNamed: boolean;
  addressOf: (revision: number) => string;
  /** The hash of an event, if the event is loaded. */
  hashOf: (revision: number) => string | undefined;
  onToggle: (key: string) => void;
  onChoose: (event: HistoryEvent) => void;
  onFocus: () => void;
}>;

/** One row of the grid: an event, a group of events, or a row that is still loading. */
export function HistoryRow({ row, index, words, style, isActive, isChosen, isNamed, ...on }: RowOf) {
  const { addressOf, hashOf, onToggle, onChoose, onFocus } = on;
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      aria-selected={row?.kind === 'event' ? isChosen : undefined}
      aria-current={isNamed ? 'true' : undefined}
      data-index={index}
      data-folded={row?.kind === 'event' && row.isFolded}
      className={styles['row']}
      style={style}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
    >
      {row === undefined ? (
        <td role="gridcell" aria-colspan={6} className={styles['waiting']}>
          <span className="unseen">{words.text('history.waiting')}</span>
        </td>
      ) : row.kind === 'event' ? (
        <EventCells
          {...{ words, isActive, isChosen, hashOf }}
          event={row.event}
          address={addressOf(row.event.revision)}
          onChoose={() => onChoose(row.event)}
        />
      ) : (
        <GroupCells row={row} words={words} onToggle={onToggle} isActive={isActive} />
      )}
    </tr>
  );
}

type CellsOf = Pick<RowOf, 'words' | 'isActive' | 'isChosen' | 'hashOf'> &
  Readonly<{ event: HistoryEvent; address: string; onChoose: () => void }>;

function EventCells({ event, words, address, isActive, isChosen, hashOf, onChoose }: CellsOf) {
  const { text, number } = words;
  const { revision, type, metadata, data, repeats, unreadable } = event;
  const effectiveAt = data?.['effectiveAt'];
  return (
    <>
      <td role="gridcell" className={styles['choice']}>
        <input
          type="checkbox"
          aria-label={text('history.choose', { revision: number(revision) })}
          checked={isChosen}
          tabIndex={isActive ? 0 : -1}
          onChange={onChoose}
        />
      </td>
      <td role="gridcell" className={styles['revision']}>
        #{number(revision)}
      </td>
      <td role="gridcell" className={styles['chain']}>
        <ChainMark {...{ event, words, hashOf }} />
      </td>
      <td role="gridcell" className={styles['moment']}>
        {metadata && <MomentText at={metadata.at} />}
        {typeof effectiveAt === 'string' && effectiveAt !== metadata?.at && (
          <span className={styles['small']}>
            <Sentence of={text('history.in-force-from', { moment: MOMENT })} at={effectiveAt} />
          </span>
        )}
      </td>
      <td role="gridcell" className={styles['sentence']}>
        <Link to={address} tabIndex={isActive ? 0 : -1}>
          {words.sentence(event)}
        </Link>
        <span className={styles['small']}>
          <code>{type}</code>
          {repeats !== undefined && (
            <span className={tagStyles['tag']}>
              {text(isOfBilling(event) ? 'history.confirmed' : 'history.repeats', { revision: number(repeats) })}
            </span>
          )}
          {unreadable && (
            <span className={tagStyles['tag']} data-state="bad">
              {text('history.unreadable')}
            </span>
          )}
        </span>
      </td>
      <td role="gridcell" className={styles['actor']}>
        {metadata && words.actor(metadata.actor)}
      </td>
    </>
  );
}

const NO_HASH = '0'.repeat(64);

/**
 * A mark that says whether the event contains the hash of the previous event. The mark is absent while the previous
 * event is not loaded.
 */
function ChainMark({ event, words: { text, number }, hashOf }: Pick<CellsOf, 'event' | 'words' | 'hashOf'>) {
  const { revision, metadata } = event;
  const previous = revision === 0 ? NO_HASH : hashOf(revision - 1);
  if (!metadata || previous === undefined) return <span className="unseen">{text('history.chain.not-loaded')}</span>;
  const isWhole = previous === metadata.previousHash;
  const name = revision === 0 ? (isWhole ? 'first' : 'not-first') : isWhole ? 'follows' : 'not-follows';
  const words = text(`event-page.${name}`, { revision: number(revision - 1) });
  return (
    <span title={words} data-whole={isWhole}>
      <span aria-hidden="true">{isWhole ? '✓' : '✕'}</span>
      <span className="unseen">{words}</span>
    </span>
  );
}

type GroupProps = Readonly<{
  row: Extract<ListRow, { kind: 'group' }>;
  words: HistoryWords;
  onToggle: (key: string) => void;
  isActive: boolean;
}>;

/**
 * A row that a person can open. The row stands for all traffic reports of a month, or for the events with which billing
 * confirmed a sale again.
 */
function GroupCells({ row: { key, of, events, isOpen }, words, onToggle, isActive }: GroupProps) {
  const { text, number } = words;
  const revisions = events.map(({ revision }) => revision);
  const count = events.length;
  return (
    <>
      <td role="gridcell" className={styles['choice']} />
      <td role="gridcell" className={styles['revision']}>
        #{number(Math.min(...revisions))}–{number(Math.max(...revisions))}
      </td>
      <td role="gridcell" className={styles['chain']} />
      <td role="gridcell" className={styles['moment']}>
        {'month' in of && words.month(of.month)}
      </td>
      <td role="gridcell" className={styles['sentence']} aria-colspan={2}>
        <button type="button" aria-expanded={isOpen} tabIndex={isActive ? 0 : -1} onClick={() => onToggle(key)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>{' '}
          {'month' in of
            ? text('history.traffic', { count })
            : text('history.confirmations', { count, revision: number(of.repeats) })}
        </button>
        <code className={styles['small']}>{events[0]?.type}</code>
      </td>
    </>
  );
}
