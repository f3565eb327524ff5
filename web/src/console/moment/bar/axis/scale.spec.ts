import type { Timeline } from '@charter/client';
import { printedMoment, timeZone } from '../../../../choices/time-zone';
import { tickStyles } from '../../../words';
import { apart, MINUTE, scaleOf, ticksOf } from './scale';

const at = (day: string) => `${day}T00:00:00.000Z`;
const bin = (first: number | null, from: string, to: string) => ({
  ...{ first, last: first === null ? null : first + 49, from: at(from), to: at(to) },
  ...{ events: first === null ? 0 : 50, groups: {} },
});
const timeline: Timeline = {
  organization: '7d',
  first: { revision: 0, at: at('2024-01-01') },
  last: { revision: 99, at: at('2025-07-01') },
  bins: [
    bin(0, '2024-01-01', '2024-02-01'),
    bin(null, '2024-02-02', '2025-01-01'),
    bin(50, '2025-01-02', '2025-07-01'),
  ],
  ...{ marks: [], marksInAll: 0, over: [], overInAll: 0, signed: null },
  ahead: [{ at: at('2026-07-01'), what: 'override-ends', event: 90 }],
};
const now = Date.parse(at('2026-01-01'));
const scale = (more: Partial<Parameters<typeof scaleOf>[0]> = {}) =>
  scaleOf({ ...{ timeline, axis: 'event', isInForce: false, head: 99, now }, ...more });
const point = (revision: number, day: string) => ({ revision, at: at(day) });

describe('The scale of the time bar', () => {
  it('by event gives each event the same width, and shows the known future changes in its last part', () => {
    const { placeOf, placeOfRevision, sliderShare, now: present, ahead } = scale();
    expect([0, 33, 99].map((revision) => placeOf(point(revision, '2024-01-01')))).toEqual([0, 0.88 / 3, 0.88]);
    expect(placeOfRevision(33)).toBe(0.88 / 3);
    expect([sliderShare, present]).toEqual([0.88, 0.88]);
    expect(ahead).toEqual([{ at: at('2026-07-01'), place: 0.94 }]);
  });

  it('by time gives each minute the same width, from the founding to now', () => {
    const { placeOf, minutes } = scale({ axis: 'time' });
    expect(minutes).toEqual({ first: Date.parse(at('2024-01-01')) / MINUTE, last: now / MINUTE });
    expect(placeOf(point(1, '2024-12-31'))).toBeCloseTo((0.88 * 365) / 731, 6);
  });

  it('for moments in force ends a minute after the last known future change', () => {
    const { minutes, sliderShare, now: present, ahead } = scale({ axis: 'time', isInForce: true });
    expect(minutes.last).toBe(Date.parse(at('2026-07-01')) / MINUTE + 1);
    expect(sliderShare).toBe(1);
    expect(present).toBeCloseTo(731 / 912, 4);
    expect(ahead[0]!.place).toBeCloseTo(1, 4);
  });

  it('has no part for the future if no future change is known', () => {
    const { sliderShare, ahead } = scale({ timeline: { ...timeline, ahead: [] } });
    expect([sliderShare, ahead]).toEqual([1, []]);
  });

  it('by time estimates the place of an event from the bin that contains the event', () => {
    const { placeOfRevision, placeOfMoment } = scale({ axis: 'time' });
    expect(placeOfRevision(49)).toBe(placeOfMoment(Date.parse(at('2024-02-01'))));
    expect(placeOfRevision(50)).toBe(placeOfMoment(Date.parse(at('2025-01-02'))));
  });

  it('ends a minute after the founding if the founding was in the present minute', () => {
    const { first, last } = scale({ axis: 'time', now: Date.parse(timeline.first.at) }).minutes;
    expect(last).toBe(first + 1);
  });
});

/** Prints a moment as the page does. */
const tick: Parameters<typeof ticksOf>[2] = (moment, unit) => printedMoment(moment, 'en', tickStyles[unit]);

describe('The labels below the picture', () => {
  afterEach(() => timeZone.choose('utc'));

  it('name years if the events were recorded in two years', () => {
    expect(ticksOf(timeline, scale(), tick)).toEqual([
      { at: at('2024-01-01'), place: 0, label: '2024' },
      { at: at('2025-01-02'), place: expect.closeTo((0.88 * 50) / 99) as number, label: '2025' },
    ]);
  });

  it('begin a year, a month or a day in the chosen time zone', () => {
    const labels = (...from: readonly string[]) => {
      const bins = from.map((moment, index) => ({ ...timeline.bins[0]!, first: index * 50, from: moment }));
      return ticksOf({ ...timeline, bins }, scale(), tick).map(({ label }) => label);
    };
    timeZone.choose('America/New_York'); // UTC−5 in winter, UTC−4 in summer
    expect(labels('2024-06-01T12:00:00.000Z', '2025-01-01T02:00:00.000Z')).toEqual(['Jun 2024', 'Dec 2024']);
    expect(labels('2024-06-01T12:00:00.000Z', '2025-01-01T05:00:00.000Z')).toEqual(['2024', '2025']);
    expect(labels('2024-06-01T12:00:00.000Z', '2024-06-02T02:00:00.000Z')).toEqual(['8:00 AM', '10:00 PM']);
  });

  it('name months if all events were recorded in one year', () => {
    const bins = [bin(0, '2024-01-01', '2024-01-31'), bin(50, '2024-05-01', '2024-07-01')];
    expect(ticksOf({ ...timeline, bins }, scale(), tick).map(({ label }) => label)).toEqual(['Jan 2024', 'May 2024']);
  });

  it('do not overlap, and end before now', () => {
    const places = [0, 0.1, 0.2, 0.35, 0.45, 0.9].map((place) => ({ place }));
    expect(apart(places, 0.2, 0.8).map(({ place }) => place)).toEqual([0, 0.2, 0.45]);
  });
});
