import type { Timeline, TimelineBin } from '@charter/client';
import { memo, useState } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { type ConsoleWords, useWords } from '../../../words';
import styles from './HistoryTable.module.css';
import axisStyles from './MomentAxis.module.css';

type TableOf = Readonly<{ timeline: Timeline; onChoose: (revision: number) => void }>;

/** The data of the picture as a table and two lists. */
export function HistoryTable({ timeline, onChoose }: TableOf) {
  const { text } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={axisStyles['more']} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text('timeline.table')}</summary>
      {isOpen && (
        <div className={styles['facts']}>
          <Bins bins={timeline.bins} />
          <div>
            <OverList over={timeline.over} />
            <MarkList timeline={timeline} onChoose={onChoose} />
          </div>
        </div>
      )}
    </details>
  );
}

const Bins = memo(function Bins({ bins }: Pick<Timeline, 'bins'>) {
  const words = useWords();
  const { text, number, minute } = words;
  return (
    // `tabIndex` lets a person scroll this region with the keyboard.
    <div role="region" tabIndex={0} aria-label={text('timeline.bins')} className={styles['bins']}>
      <table>
        <caption className="unseen">{text('timeline.bins')}</caption>
        <thead>
          <tr>
            {(['from', 'to', 'events', 'groups'] as const).map((column) => (
              <th key={column} scope="col">
                {text(columns[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bins.map((bin) => (
            <tr key={bin.from + String(bin.first)}>
              <td>
                <time dateTime={bin.from}>{minute(bin.from)}</time>
              </td>
              <td>
                <time dateTime={bin.to}>{minute(bin.to)}</time>
              </td>
              <td>{number(bin.events)}</td>
              <td>{groupWords(bin, words)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});

const columns = {
  from: 'timeline.bin.from',
  to: 'timeline.bin.to',
  events: 'timeline.bin.events',
  groups: 'timeline.bin.groups',
} as const;

const groupWords = ({ groups }: TimelineBin, { text, number }: ConsoleWords): string =>
  Object.entries(groups)
    .map(([group, events]) => text('timeline.bin.group', { group: text(`group.${group}`), events: number(events) }))
    .join(', ');

function OverList({ over }: Pick<Timeline, 'over'>) {
  const { text, number, name } = useWords();
  if (over.length === 0) return null;
  return (
    <ul>
      {over.map(({ resource, from, to, most }) => (
        <li key={`${resource}-${from.revision}`}>
          {text(to ? 'timeline.over' : 'timeline.over-still', {
            ...{ resource: name(resource), most: number(most), from: number(from.revision) },
            to: number(to?.revision ?? 0),
          })}
        </li>
      ))}
    </ul>
  );
}

function MarkList({ timeline: { marks, marksInAll }, onChoose }: TableOf) {
  const { text, number, has, second } = useWords();
  const typeWords = (type: string) => (has(`event.${type}`) ? text(`event.${type}`) : type);
  return (
    <>
      <p>{text('timeline.marks', { shown: number(marks.length), all: number(marksInAll) })}</p>
      <ol className={styles['marks']}>
        {marks.toReversed().map(({ revision, type, at, backDated }) => (
          <li key={revision}>
            <button type="button" className={controlStyles['button']} onClick={() => onChoose(revision)}>
              #{number(revision)}
            </button>{' '}
            {typeWords(type)} · <time dateTime={at}>{second(at)}</time>{' '}
            {backDated && <em>{text('timeline.back-dated')}</em>}
          </li>
        ))}
      </ol>
    </>
  );
}
