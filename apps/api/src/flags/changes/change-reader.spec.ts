import { createChangeReader } from './change-reader';

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
});
