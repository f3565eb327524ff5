import type { Timeline } from '@charter/client';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTimelineQuery } from '../../../api';
import { Region } from '../../../page-parts/Region';
import { useWords } from '../../../words';
import type { Described } from '../../event-words';
import type { PageMoment } from '../../page-moment';
import { EventSlider } from './EventSlider';
import { HistoryPicture, ShapeLegend, Ticks } from './HistoryPicture';
import { HistoryTable } from './HistoryTable';
import { filteredTypes, type Highlight } from './marks';
import { MinuteSlider, useMinute } from './MinuteSlider';
import styles from './MomentAxis.module.css';
import { type Axis, MINUTE, type Scale, scaleOf } from './scale';

export type MomentAxisOf = Readonly<{
  id: string;
  head: number;
  /** The revision that the page shows. */
  revision: number;
  moment: PageMoment;
  /** The moment of the slider over minutes; undefined while the page shows the present, or while an event loads. */
  at: string | undefined;
  past: boolean;
  described: Described | undefined;
  axis: Axis;
  chooseAxis: (axis: Axis) => void;
  play: () => void;
  move: (by: number) => void;
  scrub: (revision: number) => void;
  /** Cancels a move by events that has not come to rest. */
  cancel: () => void;
  show: (moment: PageMoment, how?: { replace?: boolean }) => void;
  chooseRevision: (revision: number) => void;
  toPresent: () => void;
}>;

/** The picture of the whole history, and below it the slider over events or minutes. */
export function MomentAxis(of: MomentAxisOf) {
  const { id, head, revision, moment, past, described, axis, move, play, show, toPresent } = of;
  const { text, second } = useWords();
  const isInForce = moment.valid !== undefined;
  const shownAxis: Axis = isInForce ? 'time' : axis;
  const query = useTimelineQuery({ id, axis: shownAxis });
  const { data: timeline } = query;
  const scale = useMemo(
    () => timeline && scaleOf({ timeline, axis: shownAxis, isInForce, head, now: Date.now() }),
    [timeline, shownAxis, isInForce, head],
  );
  const { search } = useLocation();
  const [group, setGroup] = useState('');
  const highlight = useMemo((): Highlight => ({ group, types: filteredTypes(search) }), [group, search]);

  const { first, last } = scale?.minutes ?? { first: 0, last: 1 };
  const known = useRef(of.at);
  if (of.at !== undefined) known.current = of.at;
  const shown = past && known.current !== undefined ? Math.floor(Date.parse(known.current) / MINUTE) : last;
  const founded = timeline?.first.at;
  const chooseMinute = useCallback(
    (minute: number) => {
      if (minute >= last && !isInForce) {
        if (past) toPresent();
        return;
      }
      const at = new Date(minute * MINUTE).toISOString();
      // the founding is some seconds later than the start of its minute, and before the founding there is no state
      const next = founded !== undefined && at < founded ? founded : at;
      show(isInForce ? { ...moment, valid: next } : { asOf: next }, { replace: true });
    },
    [founded, isInForce, last, moment, past, show, toPresent],
  );
  const [thumb, setThumb] = useMinute(moment, chooseMinute);
  const minute = thumb ?? shown;
  const moveEvents = (by: number) => {
    setThumb(undefined);
    move(by);
  };

  const here = scale && placeHere(scale, shownAxis, { revision, minute });
  const label = text(isInForce ? 'moment.slider.in-force' : 'moment.slider.time');
  return (
    <>
      <div className={styles['choices']}>
        {!isInForce && <AxisChoice axis={axis} onChoose={of.chooseAxis} />}
        {timeline && scale && (
          <>
            <GroupChoice timeline={timeline} group={group} onChoose={setGroup} />
            <Legend timeline={timeline} scale={scale} />
            <HistoryTable timeline={timeline} onChoose={of.chooseRevision} />
          </>
        )}
        <span aria-hidden="true">{thumb !== undefined && second(new Date(thumb * MINUTE).toISOString())}</span>
      </div>
      <figure className={styles['axis']}>
        <div className={styles['picture']}>
          <Region<Timeline>
            name={text(shownAxis === 'time' ? 'timeline.name.slider' : 'timeline.name')}
            query={query}
            rows={1}
          >
            {(found) =>
              scale && <HistoryPicture timeline={found} scale={scale} highlight={highlight} here={here ?? scale.now} />
            }
          </Region>
        </div>
        <div className={styles['slider']} style={widthOf(scale?.sliderShare ?? 1)}>
          {shownAxis === 'event' ? (
            <EventSlider {...{ revision, head, described, move, play, toPresent }} scrub={of.scrub} />
          ) : (
            scale && (
              <MinuteSlider
                {...{ label, minute, first, last }}
                onMove={(next) => {
                  of.cancel();
                  setThumb(next);
                }}
                moveEvents={isInForce ? undefined : moveEvents}
                play={isInForce ? undefined : play}
              />
            )
          )}
        </div>
        {timeline && scale && <Ticks timeline={timeline} scale={scale} />}
      </figure>
    </>
  );
}

/** The browser draws the thumb completely within the slider. So the slider is wider than the picture, by one thumb. */
const widthOf = (share: number) => ({
  inlineSize: `calc((100% - var(--lane-names) - var(--thumb)) * ${share} + var(--thumb))`,
});

const placeHere = (
  { placeOfRevision, placeOfMoment }: Scale,
  axis: Axis,
  { revision, minute }: Readonly<{ revision: number; minute: number }>,
): number => (axis === 'event' ? placeOfRevision(revision) : placeOfMoment(minute * MINUTE));

function AxisChoice({ axis, onChoose }: Readonly<{ axis: Axis; onChoose: (axis: Axis) => void }>) {
  const { text } = useWords();
  return (
    <fieldset>
      <legend className="unseen">{text('moment.axis')}</legend>
      {(['event', 'time'] as const).map((choice) => (
        <label key={choice}>
          <input type="radio" name="axis" checked={axis === choice} onChange={() => onChoose(choice)} />
          {text(axes[choice])}
        </label>
      ))}
    </fieldset>
  );
}
const axes: Readonly<Record<Axis, string>> = { event: 'moment.axis.event', time: 'moment.axis.time' };

type GroupChoiceOf = Readonly<{ timeline: Timeline; group: string; onChoose: (group: string) => void }>;

/** Highlights the events of one group. The range of the picture does not change. */
function GroupChoice({ timeline: { bins }, group, onChoose }: GroupChoiceOf) {
  const { text } = useWords();
  const groups = [...new Set(bins.flatMap((bin) => Object.keys(bin.groups)))].sort();
  return (
    <label>
      {text('timeline.highlight')}{' '}
      <select value={group} onChange={({ target: { value } }) => onChoose(value)}>
        <option value="">{text('timeline.highlight.all')}</option>
        {groups.map((one) => (
          <option key={one} value={one}>
            {text(`group.${one}`)}
          </option>
        ))}
      </select>
    </label>
  );
}

type LegendOf = Readonly<{ timeline: Timeline; scale: Scale }>;

/**
 * Explains the shapes. Says up to which event the history is signed, which future changes are known, and that all names
 * are the names of today.
 */
function Legend({ timeline, scale: { ahead } }: LegendOf) {
  const { text, number, second } = useWords();
  const { signed } = timeline;
  return (
    <details className={styles['more']}>
      <summary>{text('timeline.legend')}</summary>
      <div>
        <ShapeLegend timeline={timeline} />
        <p>
          {[
            signed ? text('timeline.signed', { revision: number(signed.events - 1) }) : text('timeline.not-signed'),
            ...ahead.map(({ at }) => text('timeline.override-ends', { moment: second(at) })),
            text(ahead.length > 0 ? 'timeline.nothing-else' : 'timeline.nothing-ahead'),
          ].join(' ')}
        </p>
        <p>{text('moment.names-of-today')}</p>
      </div>
    </details>
  );
}
