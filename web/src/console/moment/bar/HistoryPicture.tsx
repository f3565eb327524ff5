import type { Timeline, TimelineBin, TimelineMark } from '@charter/client';
import { useTimelineQuery } from '../../api';
import controlStyles from '../../page-parts/Controls.module.css';
import { Region } from '../../page-parts/Region';
import { useWords } from '../../words';
import styles from './HistoryPicture.module.css';

type TimelineOf = Readonly<{
  id: string;
  /** The revision that the page shows. */
  revision: number;
  onChoose: (revision: number) => void;
  /** Whether the open bar also shows the slider over minutes, which needs the same answer. */
  hasSlider: boolean;
}>;

const WIDTH = 1000;
const HEIGHT = 56;
const BARS_HEIGHT = 32;

/**
 * A picture of the whole history: the number of events in each part, marks, and the times in which a limit was
 * exceeded.
 */
export function HistoryPicture({ id, revision, onChoose, hasSlider }: TimelineOf) {
  const { text } = useWords();
  const query = useTimelineQuery(id);
  return (
    <Region<Timeline> name={text(hasSlider ? 'timeline.name.slider' : 'timeline.name')} query={query} rows={1}>
      {(timeline) => <Figure {...{ timeline, revision, onChoose }} />}
    </Region>
  );
}

type FigureOf = Pick<TimelineOf, 'revision' | 'onChoose'> & Readonly<{ timeline: Timeline }>;

function Figure({ timeline, revision, onChoose }: FigureOf) {
  const words = useWords();
  const { text, number } = words;
  const { signed, ahead } = timeline;
  return (
    <figure className={styles['timeline']}>
      <Picture timeline={timeline} revision={revision} />
      <figcaption>
        {signed ? text('timeline.signed', { revision: number(signed.events - 1) }) : text('timeline.not-signed')}{' '}
        {ahead?.map(({ at }) => text('timeline.override-ends', { moment: words.utc(at) })).join(' ')}
      </figcaption>
      <details>
        <summary>{text('timeline.table')}</summary>
        <Marks timeline={timeline} onChoose={onChoose} />
      </details>
    </figure>
  );
}

/** Screen readers skip this picture, because the table contains the same facts. */
function Picture({ timeline, revision }: Readonly<{ timeline: Timeline; revision: number }>) {
  const { bins, marks, over, last, signed } = timeline;
  const most = Math.max(...bins.map(({ events }) => events), 1);
  const place = (at: number) => (last.revision === 0 ? 0 : (at / last.revision) * WIDTH);
  const bar = ({ first, last: end, events }: TimelineBin) =>
    first === null || end === null
      ? ''
      : `M${place(first).toFixed(1)},${HEIGHT}v${(-(events / most) * BARS_HEIGHT).toFixed(1)}H${Math.max(place(end), place(first) + 2).toFixed(1)}V${HEIGHT}z`;
  const lane = ({ from, to }: Timeline['over'][number]) =>
    `M${place(from.revision).toFixed(1)},18H${place(to?.revision ?? last.revision).toFixed(1)}`;
  const tick = ({ revision: at, backDated }: TimelineMark) =>
    backDated ? `M${place(at).toFixed(1)},2l5,5l-5,5l-5,-5z` : `M${(place(at) - 1.5).toFixed(1)},2h3v10h-3z`;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className={styles['bins']} d={bins.map(bar).join('')} />
      <path className={styles['over']} d={over.map(lane).join('')} />
      <path className={styles['marks']} d={marks.map(tick).join('')} />
      {signed && <path className={styles['signed']} d={`M${place(signed.events - 1)},${HEIGHT - 6}v6`} />}
      <path className={styles['here']} d={`M${place(revision)},0V${HEIGHT}`} />
    </svg>
  );
}

function Marks({
  timeline: { marks, marksInAll, over },
  onChoose,
}: Readonly<{ timeline: Timeline; onChoose: (revision: number) => void }>) {
  const { text, number, has, utc, name } = useWords();
  const typeWords = (type: string) => (has(`event.${type}`) ? text(`event.${type}`) : type);
  return (
    <>
      {over.length > 0 && (
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
      )}
      <p>{text('timeline.marks', { shown: number(marks.length), all: number(marksInAll) })}</p>
      <ol className={styles['list']}>
        {marks.toReversed().map(({ revision, type, at, backDated }) => (
          <li key={revision}>
            <button type="button" className={controlStyles['button']} onClick={() => onChoose(revision)}>
              #{number(revision)}
            </button>{' '}
            {typeWords(type)} · <time dateTime={at}>{utc(at)}</time>{' '}
            {backDated && <em>{text('timeline.back-dated')}</em>}
          </li>
        ))}
      </ol>
    </>
  );
}
