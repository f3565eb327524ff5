import { fold, type Folded, type Recorded } from '@charter/decider';
import {
  EventGroup,
  eventTypes,
  groupOf,
  type OrganizationDraft,
  type OrganizationEvent,
  Resource,
} from '@charter/organization';
import fc from 'fast-check';
import { anyLife } from '../../../organization/src/testing/any-history.testing';
import { overriddenUntil } from '../../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  bought,
  cyd,
  founded,
  on,
  shop,
  siteAdded,
} from '../../../organization/src/testing/organization.testing';
import { foldedTo, recordedAt } from '../folded.testing';
import { entitlements } from '../printed-entitlements';
import { isAbout } from '../steps/subject';
import { organizationView } from '../view';
import { eventsBy, MARKS_MAX, type TimelineWanted, printedTimeline } from './timeline';
import { continueTimeline, emptyTimeline, type TimelineRecord } from './timeline-record';

const monday = '2026-11-02T09:00:00.000Z';
const friday = '2026-11-06T09:00:00.000Z';
type Events = readonly Recorded<OrganizationEvent>[];

/** A copy of an event, because a fold may store and change the event's data. */
const copied = <Event extends object>(event: Event): Event => structuredClone(event);

/** The timeline record of all events; continues `before`, which is the record of the first events. */
function recordOf(events: Events, before: TimelineRecord = emptyTimeline): TimelineRecord {
  let current: Folded<OrganizationDraft> = foldedTo(events.slice(0, before.events).map(copied));
  const builder = continueTimeline(before);
  for (const event of events.slice(before.events)) {
    current = fold(organizationView, [copied(event)], current);
    builder.take(event, current);
  }
  return builder.end();
}
const all: TimelineWanted = { axis: 'event', bins: 120 };
const anyWanted = fc.record({ axis: fc.constantFrom('event', 'time'), bins: fc.integer({ min: 1, max: 480 }) });

/** For each limit, the number of entries above the limit at a revision, according to the printed entitlements. */
function overAt(events: Events, revision: number): Readonly<Record<Resource, number>> {
  const current = foldedTo(events.slice(0, revision + 1).map(copied));
  const { limits } = entitlements('')(current, current.at);
  return Object.fromEntries(
    Resource.options.map((resource) => [resource, limits[resource].gate?.on === false ? 0 : limits[resource].over]),
  ) as Record<Resource, number>;
}

/** Inserts events after the founding that exceed a limit: the sale of a plan for one user, and three members. */
function overFromTheBeginning([first, ...rest]: Events): Events {
  const exceeding = [on('second/solo', first!.metadata.at), added(ada, 'owner'), added(bob), added(cyd)];
  return recordedAt([
    [first!.metadata.at, first!],
    ...exceeding.map((event) => [first!.metadata.at, event] as const),
    ...rest.map((event) => [event.metadata.at, event] as const),
  ]);
}

describe('Timeline', () => {
  it('has bins that contain each event of any history once; each event lies between the moments of its bin', () => {
    fc.assert(
      fc.property(anyLife, anyWanted, ({ events }, wanted) => {
        const { bins, first, last } = printedTimeline(recordOf(events), events.length, wanted);
        expect([first.revision, last.revision]).toEqual([0, events.length - 1]);
        expect(bins.length).toBeLessThanOrEqual(wanted.bins);
        expect([bins[0]!.from, bins.at(-1)!.to]).toEqual([first.at, last.at]);
        let next = 0;
        for (const bin of bins) {
          const inBin = events.slice(next, next + bin.events);
          next += bin.events;
          expect([bin.first, bin.last]).toEqual([inBin[0]?.revision ?? null, inBin.at(-1)?.revision ?? null]);
          for (const { metadata } of inBin) expect(bin.from <= metadata.at && metadata.at <= bin.to).toBe(true);
          const counts = EventGroup.options.map((group) => inBin.filter(({ type }) => groupOf(type) === group).length);
          expect(EventGroup.options.map((group) => bin.groups[group] ?? 0)).toEqual(counts);
        }
        expect(next).toBe(events.length);
      }),
      { numRuns: 60 },
    );
  });

  it('shows the periods over a limit in any history, and the maximum excess of each period', () => {
    let lanesInAll = 0;
    fc.assert(
      fc.property(anyLife, fc.nat(), (life, until) => {
        const events = overFromTheBeginning(life.events);
        const record = recordOf(events);
        const seen = 1 + (until % events.length);
        const { over, overInAll } = printedTimeline(record, seen, all);
        expect(over).toHaveLength(overInAll);
        lanesInAll += overInAll;
        const amounts = Array.from({ length: seen }, (_, revision) => overAt(events, revision));
        for (const resource of Resource.options) {
          const lanes = over.filter((lane) => lane.resource === resource);
          const within = (revision: number) =>
            lanes.filter(({ from, to }) => from.revision <= revision && (to === null || revision < to.revision));
          const expected = amounts.map((amount) => (amount[resource] > 0 ? 1 : 0));
          expect([resource, amounts.map((_, revision) => within(revision).length)]).toEqual([resource, expected]);
          for (const { from, to, most } of lanes) {
            const during = amounts.slice(from.revision, to?.revision).map((amount) => amount[resource]);
            expect([from.at, most]).toEqual([events[from.revision]!.metadata.at, Math.max(...during)]);
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(lanesInAll).toBeGreaterThan(0);
  });

  it('is the same for a record of all events at once as for an earlier record to which the newer events are added', () => {
    fc.assert(
      fc.property(anyLife, fc.nat(), anyWanted, ({ events }, at, wanted) => {
        const early = recordOf(events.slice(0, 1 + (at % events.length)));
        const before = structuredClone(early);
        expect(recordOf(events, early)).toEqual(recordOf(events));
        expect(early).toEqual(before);
        expect(printedTimeline(recordOf(events), early.events, wanted)).toEqual(
          printedTimeline(early, early.events, wanted),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('counts and marks only the events about the given path, but its range contains all events', () => {
    fc.assert(
      fc.property(anyLife, anyWanted, fc.nat(), ({ events }, wanted, chosen) => {
        const { type, data } = events[chosen % events.length]!;
        const paths = [['members'], ['sites'], ['plans'], ['limits'], ['qualityAssurance', 'domains']];
        const entry = Object.entries(data).find(([name]) => name === 'member' || name === 'site');
        const about = entry ? [`${entry[0]}s`, String(entry[1])] : paths[type.length % paths.length]!;
        const record = recordOf(events);
        const timeline = printedTimeline(record, events.length, { ...wanted, about });
        const fits = events.filter(isAbout(about)).map(({ revision }) => revision);
        expect(timeline.bins.reduce((sum, bin) => sum + bin.events, 0)).toBe(fits.length);
        const whole = printedTimeline(record, events.length, wanted);
        expect(timeline.bins.map(({ from, to }) => [from, to])).toEqual(whole.bins.map(({ from, to }) => [from, to]));
        expect(timeline.marks).toEqual(whole.marks.filter(({ revision }) => fits.includes(revision)));
      }),
      { numRuns: 60 },
    );
  });

  it('marks changes of plans, add-ons and limits, and the closing, and shows which of these changes were recorded late', () => {
    const events = recordedAt([
      [monday, founded],
      [friday, on('second/solo', monday)],
      [friday, bought(2, 'additionalUser')],
      [friday, added(ada)],
      [friday, overriddenUntil('2026-11-09T09:00:00.000Z')],
      [friday, { type: 'OrganizationClosed', data: { reason: 'the end' } }],
    ]);
    const { marks, marksInAll } = printedTimeline(recordOf(events), events.length, all);
    expect(marks.map(({ revision, group }) => [revision, group])).toEqual([
      [1, 'plan'],
      [2, 'add-ons'],
      [4, 'limits'],
      [5, 'founding'],
    ]);
    expect(marksInAll).toBe(4);
    expect(marks[0]).toEqual({
      ...{ revision: 1, at: friday, effectiveAt: monday, backDated: true, type: 'PlanAssigned', group: 'plan' },
    });
    expect(marks[2]).not.toHaveProperty('backDated');
  });

  it('has at most 500 marks, the newest ones', () => {
    const moments = Array.from({ length: MARKS_MAX + 20 }, () => [monday, overriddenUntil(friday)] as const);
    const events = recordedAt([[monday, founded], ...moments]);
    const { marks, marksInAll } = printedTimeline(recordOf(events), events.length, all);
    expect([marks.length, marks[0]!.revision, marks.at(-1)!.revision]).toEqual([MARKS_MAX, 21, MARKS_MAX + 20]);
    expect(marksInAll).toBe(MARKS_MAX + 20);
  });

  it('has an empty bin only on the time axis, for a time without recorded events', () => {
    const events = recordedAt([
      [monday, founded],
      [monday, added(ada, 'owner')],
      [friday, added(bob)],
    ]);
    const { bins } = printedTimeline(recordOf(events), 3, { axis: 'time', bins: 4 });
    expect(bins.map(({ first, last, events: counted }) => [first, last, counted])).toEqual([
      [0, 1, 2],
      [null, null, 0],
      [null, null, 0],
      [2, 2, 1],
    ]);
    expect(bins[1]).toMatchObject({ from: '2026-11-03T09:00:00.000Z', to: '2026-11-04T08:59:59.999Z', groups: {} });
    expect(printedTimeline(recordOf(events), 3, { axis: 'time', bins: 480 }).bins).toHaveLength(480);
    expect(printedTimeline(recordOf(events), 3, { axis: 'event', bins: 480 }).bins).toHaveLength(3);
    expect(printedTimeline(recordOf(events), 2, { axis: 'time', bins: 480 }).bins).toHaveLength(1);
  });

  it('ends the period over a limit when an override begins, and begins another period when the override ends', () => {
    const events = recordedAt([
      [monday, founded],
      [monday, added(ada, 'owner')],
      [monday, added(bob)],
      [monday, added(cyd)],
      [monday, on('second/solo', monday)],
      [monday, bought(3, 'additionalUser')],
      [monday, overriddenUntil('2026-11-03T09:00:00.000Z')],
      [friday, siteAdded(shop, 'shop.test')],
    ]);
    const { over } = printedTimeline(recordOf(events), events.length, all);
    const users = over.filter(({ resource }) => resource === 'users');
    expect(users.map(({ from, to, most }) => [from.revision, to?.revision ?? null, most])).toEqual([
      [4, 6, 2],
      [7, null, 1],
    ]);
  });

  it('counts the events that were recorded up to a moment', () => {
    const record = recordOf(
      recordedAt([
        [monday, founded],
        [monday, added(ada)],
        [friday, added(bob)],
      ]),
    );
    const by = (moment: string) => eventsBy(record, Date.parse(moment));
    expect(['2026-11-02T08:59:59.999Z', monday, '2026-11-05T00:00:00.000Z', friday].map(by)).toEqual([0, 2, 2, 3]);
  });

  it('needs only one byte for the index of an event type', () => {
    expect(eventTypes.length).toBeLessThan(256);
  });
});
