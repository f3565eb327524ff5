import type { EventLog, StoredEvent } from '@charter/event-log';
import { all, family, noted, several, type UnderTest, until, where } from './under-test';

export function order(given: UnderTest): void {
  describe('6: Revisions and positions', () => {
    it('revisions begin at 0 and have no gaps, also after refused appends', async () => {
      const stream = given.stream();
      await given.append(stream, 'no_stream', several(3));
      await given.append(stream, 9n, several(1)).catch(() => undefined);
      await given.append(stream, 2n, several(2));
      expect((await all(given.log.readStream(stream))).map(({ revision }) => revision)).toEqual([0n, 1n, 2n, 3n, 4n]);
    });

    it('positions are texts of twenty digits that sort like the events; an append returns the position of its last event', async () => {
      const stream = given.stream();
      const answers = [await given.append(stream, 'no_stream', several(3)), await given.append(stream, 2n, several(2))];
      const events = await all(given.log.readStream(stream));
      const positions = events.map(({ position }) => position);
      for (const position of positions) expect(position).toMatch(/^\d{20}$/);
      expect(new Set(positions).size).toBe(5);
      expect([...positions].sort()).toEqual(positions);
      expect(answers.map(({ revision, position }) => [revision, position])).toEqual([
        [2n, positions[2]],
        [4n, positions[4]],
      ]);
    });

    it('the head is the position of the last event in all streams', async () => {
      const before = await given.log.head();
      const seen: (readonly [head: string, last: string])[] = [];
      // Another writer may append between the append and the read of the head, but not each time.
      for (let time = 0; time < 20 && !seen.some(([head, last]) => head === last); time += 1) {
        const { position } = await given.append(given.stream(), 'no_stream', several(2));
        seen.push([await given.log.head(), position]);
      }
      expect(seen.at(-1)![0]).toBe(seen.at(-1)![1]);
      expect(seen.every(([head, last]) => head >= last && last > before)).toBe(true);
    });

    where(given.can.empty)('the head of an empty log is twenty zeros', async () => {
      const log = await given.can.empty!();
      expect(await log.head()).toBe('00000000000000000000');
      const { position } = await log.append('tally-a', several(1), { expected: 'no_stream' });
      expect(await log.head()).toBe(position);
      await log.close();
    });
  });

  describe('7: The order of all streams', () => {
    it('is the order of the commits: an event never appears before events that were already visible', async () => {
      const prefix = family();
      const seen = await watched(
        given,
        prefix,
        Array.from({ length: 50 }, () => [given.log, given.stream(prefix), 20] as const),
      );
      expect(seen).toHaveLength(50 * 20);
      expect([...seen].sort()).toEqual(seen);
    }, 60_000);

    where(given.can.beside)(
      'is the order of the commits of two processes that append at the same time',
      async () => {
        const prefix = family();
        const other = await given.can.beside!(given.log);
        const seen = await watched(
          given,
          prefix,
          Array.from({ length: 20 }, (_, index) => [index % 2 ? other : given.log, given.stream(prefix), 10] as const),
        );
        const elsewhere = (await all(other.readAll({ streamPrefixes: [prefix] }))).map(({ position }) => position);
        await other.close();
        expect(seen).toHaveLength(20 * 10);
        expect([...seen].sort()).toEqual(seen);
        expect(elsewhere).toEqual(seen);
      },
      60_000,
    );

    it('contains the events of each stream in the order of their revisions', async () => {
      const prefix = family();
      await Promise.all(Array.from({ length: 10 }, () => writer(given.log, given.stream(prefix), 10)));
      const byStream = Map.groupBy(await all(given.log.readAll({ streamPrefixes: [prefix] })), ({ stream }) => stream);
      for (const events of byStream.values()) expect(revisions(events)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(byStream.size).toBe(10);
    });

    it('does not delay events: a stream contains an appended event as soon as the append is answered', async () => {
      const stream = given.stream();
      for (let revision = -1n; revision < 20n; revision++) {
        const event = noted('read your writes');
        await given.append(stream, revision < 0n ? 'no_stream' : revision, [event]);
        expect((await given.ids(stream)).at(-1)).toBe(event.id);
      }
    });
  });
}

/** Appends the events one after the other. After half of them, the writer waits until the promise resolves. */
async function writer(log: EventLog, stream: string, count: number, halfway?: Promise<undefined>) {
  for (let index = 0; index < count; index++) {
    if (index === count / 2) await halfway;
    await log.append(stream, [noted(index)], { expected: index === 0 ? 'no_stream' : BigInt(index) - 1n });
  }
}

/**
 * Reads the streams again and again while the writers append. Checks that each read begins with the events of the read
 * before. The writers do not end before a read has found some of their events. Returns the positions of all events.
 */
async function watched(
  { log }: UnderTest,
  prefix: string,
  writers: readonly (readonly [log: EventLog, stream: string, count: number])[],
) {
  const seen: string[] = [];
  const { promise: halfway, resolve } = Promise.withResolvers<undefined>();
  let grew = 0;
  await until(Promise.all(writers.map((one) => writer(...one, halfway))), async () => {
    const now = (await all(log.readAll({ streamPrefixes: [prefix] }))).map(({ position }) => position);
    expect(now.slice(0, seen.length)).toEqual(seen);
    if (now.length > seen.length) grew += 1;
    seen.push(...now.slice(seen.length));
    if (grew > 0) resolve(undefined);
  }).finally(() => resolve(undefined));
  expect(grew).toBeGreaterThan(1);
  return seen;
}

const revisions = (events: readonly StoredEvent[]) => events.map(({ revision }) => Number(revision));
