import type { Timeline, TimelineBin } from '@charter/client';
import { memo } from 'react';
import { useWords } from '../../../words';
import { type Highlight, isDim, laneOf, type MarkKind, markKind } from './marks';
import { apart, type Scale, ticksOf } from './scale';
import styles from './HistoryPicture.module.css';

type PictureOf = Readonly<{ timeline: Timeline; scale: Scale; highlight: Highlight }>;

const WIDTH = 1000;
/** The distance of each row of shapes from the top of the picture, in pixels. */
const lanes = { plan: 6, limits: 18, over: 35, binsFrom: 38, binsTo: 52, end: 58 } as const;
const BINS_HEIGHT = lanes.binsTo - lanes.binsFrom;
const OVER_LABEL_SHARE = 0.25;

const percent = (place: number) => `${(place * 100).toFixed(2)}%`;

/**
 * A picture of the history: plans and limits that changed, times over a limit, and the number of events in each part.
 * Screen readers skip this picture, because the table contains the same facts.
 * @param here where on the time axis the moment of the page is, as a share of the width between 0 and 1
 */
export function HistoryPicture({ here, ...picture }: PictureOf & Readonly<{ here: number }>) {
  return (
    <div className={styles['picture']} aria-hidden="true">
      <LaneNames />
      <div className={styles['places']}>
        <Shapes {...picture} />
        <svg className={styles['here']}>
          <line x1={percent(here)} x2={percent(here)} y1={0} y2={lanes.end} />
        </svg>
        <OverLabels {...picture} />
      </div>
    </div>
  );
}

function LaneNames() {
  const { text } = useWords();
  return (
    <div className={styles['lanes']}>
      <span>{text('timeline.lane.plan')}</span>
      <span>{text('timeline.lane.limits')}</span>
      <span>{text('timeline.lane.over')}</span>
      <span>{text('timeline.lane.all')}</span>
    </div>
  );
}

/** The shapes do not depend on the moment of the page, so a move of the slider does not draw the shapes again. */
const Shapes = memo(function Shapes({ timeline, scale, highlight }: PictureOf) {
  const { bins, marks, over, signed } = timeline;
  const { placeOf, now, sliderShare, ahead } = scale;
  const signedAt = signed && percent(scale.placeOfRevision(signed.events - 1));
  const end = ahead.length > 0 ? 1 : sliderShare;
  return (
    <svg className={styles['shapes']} height={lanes.end}>
      <Bins bins={bins} scale={scale} group={highlight.group} />
      <line className={styles['axis']} x1="0" x2={percent(now)} y1={lanes.binsTo} y2={lanes.binsTo} />
      {end > now && (
        <line className={styles['future']} x1={percent(now)} x2={percent(end)} y1={lanes.binsTo} y2={lanes.binsTo} />
      )}
      <line className={styles['now']} x1={percent(now)} x2={percent(now)} y1={0} y2={lanes.end} />
      {over.map(({ resource, from, to }) => (
        <line
          key={`${resource}-${from.revision}`}
          className={styles['over']}
          x1={percent(placeOf(from))}
          x2={percent(to ? placeOf(to) : now)}
          {...{ y1: lanes.over, y2: lanes.over }}
        />
      ))}
      {marks.map((mark) => (
        <Mark
          key={mark.revision}
          kind={markKind(mark)}
          place={placeOf(mark)}
          lane={lanes[laneOf(mark)]}
          isDim={isDim(mark, highlight)}
        />
      ))}
      {signedAt && (
        <svg className={styles['signed']} x={signedAt} y={lanes.binsTo} overflow="visible">
          <path d={SIGNED} />
        </svg>
      )}
      {ahead.map(({ at, place }) => (
        <Mark key={at} kind="override" place={place} lane={lanes.binsTo} isDim={false} />
      ))}
    </svg>
  );
});

type BinsOf = Readonly<{ bins: readonly TimelineBin[]; scale: Scale; group: string }>;

function Bins({ bins, scale: { placeOf }, group }: BinsOf) {
  const most = Math.max(...bins.map(({ events }) => events), 1);
  const bar = ({ first, last, from, to }: TimelineBin, events: number) => {
    if (first === null || last === null || events === 0) return '';
    const begin = placeOf({ revision: first, at: from }) * WIDTH;
    const end = Math.max(placeOf({ revision: last, at: to }) * WIDTH, begin + 2);
    const height = (events / most) * BINS_HEIGHT;
    return `M${begin.toFixed(1)},${BINS_HEIGHT}v${(-height).toFixed(1)}H${end.toFixed(1)}V${BINS_HEIGHT}z`;
  };
  const chosen = (bin: TimelineBin) => (group === '' ? bin.events : (bin.groups[group] ?? 0));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${BINS_HEIGHT}`} preserveAspectRatio="none" y={lanes.binsFrom} height={BINS_HEIGHT}>
      {group !== '' && <path className={styles['dim']} d={bins.map((bin) => bar(bin, bin.events)).join('')} />}
      <path className={styles['bins']} d={bins.map((bin) => bar(bin, chosen(bin))).join('')} />
    </svg>
  );
}

const shapes: Readonly<Record<MarkKind, string>> = {
  plan: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  limits: 'M0-4.5L4.5 3.5h-9z',
  override: 'M0-5L5 0L0 5L-5 0z',
  closing: 'M-3.5-3.5L3.5 3.5M-3.5 3.5L3.5-3.5',
  late: 'M0-5.5L5.5 0L0 5.5L-5.5 0z',
};
const SIGNED = 'M0 0v6M-4 6h8';

type MarkOf = Readonly<{ kind: MarkKind; place: number; lane: number; isDim: boolean }>;

/** The inner `svg` puts the mark at its place without scaling the shape of the mark. */
const Mark = ({ kind, place, lane, isDim: dim }: MarkOf) => (
  <svg className={styles['mark']} data-kind={kind} data-dim={dim} x={percent(place)} y={lane} overflow="visible">
    <path d={shapes[kind]} />
  </svg>
);

function OverLabels({ timeline, scale: { placeOf, now } }: PictureOf) {
  const { name } = useWords();
  const labels = timeline.over.map(({ resource, from }) => ({ resource, from, place: placeOf(from) }));
  return (
    <div data-lane="over">
      {apart(labels, OVER_LABEL_SHARE).map(({ resource, from, place }) => (
        <span
          key={`${resource}-${from.revision}`}
          className={styles['label']}
          style={
            place > now - OVER_LABEL_SHARE ? { insetInlineEnd: percent(1 - now) } : { insetInlineStart: percent(place) }
          }
        >
          {name(resource)}
        </span>
      ))}
    </div>
  );
}

/** The labels of the time axis: years, months, days or times of day, and now. */
export function Ticks({ timeline, scale }: Pick<PictureOf, 'timeline' | 'scale'>) {
  const { text, tick } = useWords();
  const { now, ahead } = scale;
  return (
    <div className={styles['ticks']} aria-hidden="true">
      {ticksOf(timeline, scale, tick).map(({ at, place, label }) => (
        <span key={at} style={{ insetInlineStart: percent(place) }}>
          {label}
        </span>
      ))}
      <span data-now style={now > 0.95 ? { insetInlineEnd: 0 } : { insetInlineStart: percent(now) }}>
        {text('timeline.now')}
      </span>
      {(now < 0.9 ? ahead.slice(0, 1) : []).map(({ at }) => (
        <span key={at} data-ahead style={{ insetInlineEnd: 0 }}>
          {tick(at, 'day')}
        </span>
      ))}
    </div>
  );
}

/** The meaning of each shape that the picture contains. */
export function ShapeLegend({ timeline: { marks, signed } }: Pick<PictureOf, 'timeline'>) {
  const { text } = useWords();
  const found = new Set(marks.map(markKind));
  const kinds = (Object.keys(meanings) as MarkKind[]).filter((kind) => found.has(kind));
  return (
    <ul className={styles['legend']} aria-hidden="true">
      {kinds.map((kind) => (
        <li key={kind}>
          <svg className={styles['mark']} data-kind={kind} viewBox="-7 -7 14 14" width={14} height={14}>
            <path d={shapes[kind]} />
          </svg>
          {text(meanings[kind])}
        </li>
      ))}
      {signed && (
        <li>
          <svg className={styles['signed']} viewBox="-7 -3 14 14" width={14} height={14}>
            <path d={SIGNED} />
          </svg>
          {text('timeline.mark.signed')}
        </li>
      )}
    </ul>
  );
}

const meanings: Readonly<Record<MarkKind, string>> = {
  plan: 'timeline.mark.plan',
  limits: 'timeline.mark.limits',
  override: 'timeline.mark.override',
  closing: 'timeline.mark.closing',
  late: 'timeline.mark.late',
};
