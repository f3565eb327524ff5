import { randomUUID } from 'node:crypto';
import { createStateReader, readOrganizationDifference } from '@charter/application';
import { type HistoryPoint, UnknownRevision } from '@charter/aggregates';
import fc from 'fast-check';
import {
  createSnapshotReplay,
  type SnapshotReplay,
} from '../../../libs/application/src/history/snapshots/snapshot-replay';
import { anyOf, anySteps, chance, livedThrough, momentsOf, plainly, type RecordedFact, seed } from './life';

/** The number of events between two cached states; small, so that short histories have many of them. */
const EVERY = 4;
const NOW = '2999-01-01T00:00:00.000Z';

/**
 * A random read of the past: its two points, both as revisions or both as moments. Half of the reads have a moment for
 * `valid`, so that each kind of read occurs much more often than the specs expect.
 */
const anyRead = fc.record({
  some: chance,
  more: chance,
  validly: fc.option(chance, { freq: 2 }),
  isByMoment: fc.boolean(),
});
const pointOf = ({ revision, metadata: { at } }: RecordedFact, isByMoment: boolean): HistoryPoint =>
  isByMoment ? { moment: at } : { revision };
const lastUntil = (events: readonly RecordedFact[], until: HistoryPoint) =>
  events.findLastIndex(({ revision, metadata: { at } }) =>
    'moment' in until ? at <= until.moment : revision <= until.revision,
  );

describe('A read of the past that begins with a cached state', () => {
  it('gives the same state and the same difference as a fold from the first event', async () => {
    const shorter = { asRecorded: 0, inForce: 0 };
    await fc.assert(
      fc.asyncProperty(anySteps, fc.array(anyRead, { minLength: 12, maxLength: 12 }), async (steps, reads) => {
        const { organizations, log, id, stream, events } = await livedThrough(steps);
        const snapshotReplay = createSnapshotReplay({ organizations }, { every: EVERY });
        const states = createStateReader({ log, snapshotReplay });
        for (const { some, more, validly, isByMoment } of reads) {
          const valid = validly === null ? undefined : anyOf(momentsOf(events), validly);
          const [first, second] = [anyOf(events, some), anyOf(events, more)].toSorted(
            (one, other) => one.revision - other.revision,
          ) as [RecordedFact, RecordedFact];
          const [from, to] = [pointOf(first, isByMoment), pointOf(second, isByMoment)];
          const last = lastUntil(events, to);
          const state = await states.prepare(stream, { until: to, valid });
          const { metadata } = events[last]!;
          expect(await state.read()).toEqual({
            ...{ state: plainly(events, last, valid).state, revision: last, at: metadata.at },
          });
          if (state.events <= last) shorter[valid === undefined ? 'asRecorded' : 'inForce'] += 1;

          const differenceWith = (replay: SnapshotReplay) =>
            readOrganizationDifference({ log, snapshotReplay: replay }, id, { from, to, valid, now: NOW });
          expect(await differenceWith(snapshotReplay)).toEqual(
            await differenceWith(createSnapshotReplay({ organizations })),
          );
        }
      }),
      { numRuns: 40, ...seed },
    );
    expect(Math.min(shorter.asRecorded, shorter.inForce)).toBeGreaterThan(50);
  });

  it('refuses a revision beyond the end, and finds no state before the first event or of an unknown organization', async () => {
    const { stream, ...life } = await livedThrough([]);
    const states = createStateReader(life);
    await expect(states.prepare(stream, { until: { revision: 1 } })).rejects.toEqual(new UnknownRevision(stream, 1, 0));
    const early = await states.prepare(stream, { until: { moment: '2000-01-01T00:00:00.000Z' } });
    const unknown = await states.prepare(`organization-${randomUUID()}`, {});
    expect([early.events, await early.read(), unknown.events, await unknown.read()]).toEqual([
      0,
      undefined,
      0,
      undefined,
    ]);
  });
});
