import type { Timeline } from '@charter/client';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTimelineQuery } from '../../../api';
import { Region } from '../../../page-parts/Region';
import { type ConsoleWords, useWords } from '../../../words';
import { findEventAt, type FoundEvent } from './event-at';
import { type Described, eventWords } from '../../event-words';
import type { PageMoment } from '../../page-moment';
import type { ShowOptions } from '../../usePageMoment';
import { EventSlider } from './EventSlider';
import { HistoryPicture, ShapeLegend, Ticks } from './HistoryPicture';
import { HistoryTable } from './HistoryTable';
import type { Highlight } from './marks';
import { MinuteSlider, useMinute } from './MinuteSlider';
import styles from './MomentAxis.module.css';
import { type Axis, MINUTE, type Scale, scaleOf } from './scale';
import { useFilteredMarks } from './useFilteredMarks';

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
  /** Moves the page to the last event at or before a moment, and writes the moment into the address. */
  scrubTo: (moment: PageMoment, find: () => FoundEvent) => void;
  /** The moment of an event in milliseconds since 1970; undefined if the step to the event's revision is not loaded. */
  momentOf: (revision: number) => number | undefined;
  /** Cancels a move that has not come to rest. */
  cancel: () => void;
  show: (moment: PageMoment, how?: ShowOptions) => void;
  chooseRevision: (revision: number) => void;
  toPresent: () => void;
}>;

/** The picture of the whole history, and below it the slider over events or minutes. */
export function MomentAxis(of: MomentAxisOf) {
  const { id, head, revision, moment, past, described, axis, move, play, show, toPresent } = of;
  const words = useWords();
  const { text } = words;
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
  const matchesFilter = useFilteredMarks(id, search, timeline?.marks);
  const highlight = useMemo((): Highlight => ({ group, matchesFilter }), [group, matchesFilter]);

  const { first, last } = scale?.minutes ?? { first: 0, last: 1 };
  const known = useRef(of.at);
  if (of.at !== undefined) known.current = of.at;
  const shown = past && known.current !== undefined ? Math.floor(Date.parse(known.current) / MINUTE) : last;
  const founded = timeline?.first.at;
  const chooseMinute = useCallback(
    (minute: number) => {
      if (isInForce) show({ ...moment, valid: momentOfMinute(minute, founded) }, { afterMove: true });
      else if (minute >= last && past) toPresent();
    },
    [founded, isInForce, last, moment, past, show, toPresent],
  );
  const [thumb, setThumb] = useMinute(moment, chooseMinute);
  const minute = thumb ?? shown;
  const bins = timeline?.bins;
  const eventOf = (next: number) =>
    findEventAt(Date.parse(momentOfMinute(next, founded)), { bins: bins ?? [], head, momentOf: of.momentOf });
  /**
   * Moves the slider to a minute. If the slider shows when events were recorded, the page follows at once with the
   * loaded steps.
   */
  const moveMinute = (next: number) => {
    setThumb(next);
    if (isInForce || next >= last) of.cancel();
    else of.scrubTo({ asOf: momentOfMinute(next, founded) }, () => eventOf(next));
  };
  const moveEvents = (by: number) => {
    setThumb(undefined);
    move(by);
  };

  const here = scale && placeHere(scale, shownAxis, { revision, minute });
  const found = isInForce ? undefined : thumb === undefined ? { revision, isExact: true } : eventOf(thumb);
  const shownMinute = minuteInWords(minute, found, { head, revision, described, words });
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
        <span aria-hidden="true">{thumb !== undefined && shownMinute}</span>
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
                shown={shownMinute}
                onMove={moveMinute}
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

/**
 * The moment at which a minute begins. For the minute of the founding, this is the moment of the founding, because no
 * earlier state exists.
 */
function momentOfMinute(minute: number, founded: string | undefined): string {
  const at = new Date(minute * MINUTE).toISOString();
  return founded !== undefined && at < founded ? founded : at;
}

type Shown = Pick<MomentAxisOf, 'head' | 'revision' | 'described'> & Readonly<{ words: ConsoleWords }>;

/** A minute and its event in words. The event has a name only if its step is loaded. */
function minuteInWords(
  minute: number,
  found: FoundEvent | undefined,
  { head, revision, described, words }: Shown,
): string {
  const { text, number, second } = words;
  const moment = second(new Date(minute * MINUTE).toISOString());
  if (!found) return moment;
  const facts = { moment, revision: number(found.revision), last: number(head) };
  if (!found.isExact) return text('moment.slider.near', facts);
  const numbered = text('moment.slider.minute', facts);
  return found.revision === revision && described ? `${numbered}, ${eventWords(described, words).event}` : numbered;
}

/**
 * The browser draws the thumb completely inside the slider. The slider is therefore wider than the picture by the width
 * of the thumb.
 */
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

/** The field that chooses the group of events to highlight. The picture still shows the whole history. */
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
 * Explains the shapes in the picture. Also says up to which event the history is signed, which future changes are
 * known, and that all names are people's present names.
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
