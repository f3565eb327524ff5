import { randomUUID } from 'node:crypto';
import type { EventLog } from '@charter/event-log';
import { continueTimeline, emptyTimeline } from '@charter/organization-view';
import { id, organizationOf, proxyOf, replaying, stream } from './long-organization.testing';
import { createStateReader } from './snapshots/state-reader';
import { createTimelineReader } from './timeline-reader';

const rename = { type: 'RenameOrganization', data: { name: 'Acme Oy' } } as const;

/** Folds all events to a timeline record without the reader. */
async function plainRecord({ organizations }: Pick<Awaited<ReturnType<typeof organizationOf>>, 'organizations'>) {
  const builder = continueTimeline(emptyTimeline);
  await organizations.replay(stream, {}, (event, _before, apply) => builder.take(event, apply!()));
  return builder.end();
}

describe('Timeline reader', () => {
  it('reads the whole history at the first call, and only new events at later calls', async () => {
    const made = await organizationOf(1_200);
    const reader = createTimelineReader(made);
    expect(await reader.distance(id)).toBe(1_200);
    expect((await reader.read(id))!.record).toEqual(await plainRecord(made));
    await made.execute(rename, 2_000);
    await made.execute({ type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }, 2_001);
    expect(await reader.distance(id)).toBe(2);
    made.reads.length = 0;
    const { record, current } = (await reader.read(id))!;
    expect(made.reads.filter(([, count]) => count > 1)).toEqual([[1_200, 2]]);
    expect([record, current.revision]).toEqual([await plainRecord(made), 1_201]);
    made.reads.length = 0;
    await reader.read(id);
    expect(made.reads.filter(([, count]) => count > 1)).toEqual([]);
  });

  it('caches states, so that a later read of a past state folds 1,000 events at most', async () => {
    const made = await organizationOf(3_200);
    const states = createStateReader(made);
    const eventsTo = async (revision: number) => (await states.prepare(stream, { until: { revision } })).events;
    expect(await eventsTo(2_500)).toBe(2_501);
    await createTimelineReader(made).read(id);
    expect(await Promise.all([2_500, 3_000, 900].map(eventsTo))).toEqual([500, 1_000, 900]);
  });

  it('gives simultaneous callers correct records while the history grows', async () => {
    const made = await organizationOf(300);
    const reader = createTimelineReader(made);
    await reader.read(id);
    const [first, , ...others] = await Promise.all([
      reader.read(id),
      made.execute(rename, 1_000),
      ...Array.from({ length: 8 }, () => reader.read(id)),
    ]);
    for (const each of [first, ...others]) expect([300, 301]).toContain(each!.record.events);
    expect((await reader.read(id))!.record).toEqual(await plainRecord(made));
  });

  it.each([
    ['of the same length', 600],
    ['shorter', 400],
    ['longer', 700],
  ])('gives the record of the new log (%s) that has replaced the first log', async (_, events) => {
    const [first, second] = [await organizationOf(600), await organizationOf(events, 'other name')];
    const current = { organizations: first.organizations, log: first.log };
    const log = new Proxy({} as EventLog, {
      get: (__, name) => (Reflect.get(current.log, name) as () => unknown).bind(current.log),
    });
    const reader = createTimelineReader({ ...replaying(proxyOf(current)), log });
    await reader.read(id);
    Object.assign(current, { organizations: second.organizations, log: second.log });
    expect((await reader.read(id))!.record).toEqual(await plainRecord(second));
  });

  it('returns undefined for an organization that does not exist, and stops when the caller disconnects', async () => {
    const reader = createTimelineReader(await organizationOf(300));
    expect(await reader.read(randomUUID())).toBeUndefined();
    const reason = new Error('gone');
    await expect(reader.read(id, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect((await reader.read(id))!.record.events).toBe(300);
  });
});
