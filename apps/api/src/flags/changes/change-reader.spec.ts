import { randomUUID } from 'node:crypto';
import { LogError, MemoryLog } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { type ChangeBatch, createChangeReader } from './change-reader';

type Parts = Parameters<typeof createChangeReader>[0];

describe('The reader of changes', () => {
  it('begins only after the read model contains the newest event, because it passes on only later events', async () => {
    const newest = { position: '00000000000000000007', id: 'an event' };
    const processed = Promise.withResolvers<undefined>();
    const whenProcessed = jest.fn((...asked: readonly unknown[]) => (asked.length > 0 ? processed.promise : undefined));
    const parts = {
      log: {
        identity: async () => 'store',
        readAll: async function* () {
          yield newest;
        },
        subscribe: async function* () {
          yield* [];
        },
      },
      logger: { warn: jest.fn() },
      projection: { whenProcessed, now: () => ({ parked: new Map() }) },
      stopping: () => whenProcessed.mock.calls.length > 1,
    } as unknown as Parts;
    let isFollowing = false;
    const following = createChangeReader(parts).follow({ take: async () => {}, end: () => {} });
    void following.then(() => (isFollowing = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([isFollowing, whenProcessed.mock.calls[0]?.[0]]).toEqual([false, newest.position]);
    processed.resolve(undefined);
    (await following).leave();
  });

  it('passes on the events of a stream that is parked at the beginning, after the projector has repaired it', async () => {
    const { append, park, repair, follow } = reading();
    await append('first');
    await append('parked');
    park('parked', 0);
    await append('first');
    const batches = await follow();
    await append('first');
    await batches.until(1);
    repair('parked');
    await append('first');
    await batches.until(2);
    batches.leave();
    expect(batches.taken.map(changesIn)).toEqual([['first 2'], ['parked 0', 'first 3']]);
    expect(batches.taken[0]!.after).toEqual(batches.taken[1]!.before);
    expect(batches.taken[1]!.after).not.toEqual(batches.taken[1]!.before);
  });

  it('passes on a batch again after a failure of the log, also the events of a repaired stream', async () => {
    const { append, park, repair, follow } = reading();
    await append('first');
    const batches = await follow();
    park('parked', 0);
    await append('parked');
    await append('first');
    await batches.until(1);
    repair('parked');
    batches.failOnce();
    await append('first');
    await batches.until(3);
    batches.leave();
    const [, failed, again] = batches.taken;
    expect(changesIn(failed!)).toEqual(['parked 0', 'first 2']);
    expect(again).toEqual(failed);
  });

  it('keeps at most 2,000 events of a parked stream in memory, however long the stream is parked', async () => {
    const { append, park, repair, follow } = reading();
    await append('first');
    const batches = await follow();
    park('parked', 0);
    await append('parked', 1_500);
    await append('first');
    await batches.until(1);
    await append('parked', 1_500);
    await append('first');
    await batches.until(2);
    repair('parked');
    await append('first');
    await batches.until(3);
    batches.leave();
    const events = changesIn(batches.taken[2]!).filter((name) => name.startsWith('parked'));
    expect([events.length, events[0]]).toEqual([2_000, 'parked 0']);
  });

  it('passes on changes to a consumer that comes while the last other consumer leaves', async () => {
    const { append, follow } = reading();
    await append('first');
    const first = await follow();
    const following = follow();
    first.leave();
    const second = await following;
    await append('first');
    await second.until(1);
    second.leave();
    expect(second.taken.map(changesIn)).toEqual([['first 1']]);
  });
});

const ids: Record<string, string> = { first: randomUUID(), parked: randomUUID() };
const changesIn = ({ changes }: ChangeBatch) =>
  changes.flatMap(({ organization, events }) =>
    events.map(({ revision }) => `${Object.keys(ids).find((name) => ids[name] === organization)} ${revision}`),
  );

/** A reader of a log in memory, whose read model contains each event except those of parked streams. */
function reading() {
  const log = new MemoryLog();
  const parked = new Map<string, Readonly<{ revision: number }>>();
  const projection = { whenProcessed: async () => {}, now: () => ({ parked }) };
  const parts = { log, logger: { warn: jest.fn() }, projection, stopping: () => false } as unknown as Parts;
  const reader = createChangeReader(parts);
  const streamOf = (name: string) => organizationStream(ids[name]!);
  const follow = async () => {
    const taken: ChangeBatch[] = [];
    let fails = false;
    const take = async (batch: ChangeBatch) => {
      taken.push(batch);
      const failsNow = fails;
      fails = false;
      if (failsNow) throw new LogError('unavailable', 'The log does not answer.');
    };
    const { leave } = await reader.follow({ take, end: () => {} });
    const until = async (count: number) => {
      for (let tries = 0; taken.length < count && tries < 200; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return { taken, leave, until, failOnce: () => (fails = true) };
  };
  return {
    append: (name: string, count = 1) =>
      log.append(
        streamOf(name),
        Array.from({ length: count }, () => ({ id: randomUUID(), type: 'Noted', data: {}, metadata: {} })),
        { expected: 'any' },
      ),
    park: (name: string, revision: number) => parked.set(streamOf(name), { revision }),
    repair: (name: string) => parked.delete(streamOf(name)),
    follow,
  };
}
