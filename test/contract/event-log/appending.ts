import { Conflict, type ExpectedRevision } from '@charter/event-log';
import { all, failureOf, noted, several, textOf, type UnderTest, until, where } from './under-test';

export function appending(given: UnderTest): void {
  describe('1: The expected revision', () => {
    it.each<[ExpectedRevision, bigint | 'no_stream']>([
      ['any', 0n],
      ['no_stream', 0n],
      ['stream_exists', 'no_stream'],
      [0n, 'no_stream'],
      [7n, 'no_stream'],
    ])('%p: after an append, a stream that never existed ends at %p', (expected, end) =>
      ends(given, given.stream(), expected, 1, end),
    );

    it.each<[ExpectedRevision, bigint | 'conflict']>([
      ['any', 3n],
      ['stream_exists', 3n],
      [2n, 3n],
      ['no_stream', 'conflict'],
      [0n, 'conflict'],
      [1n, 'conflict'],
      [3n, 'conflict'],
      [100n, 'conflict'],
    ])('%p: an append of new ids to a stream that ends at revision 2 results in %p', async (expected, end) => {
      const stream = given.stream();
      await given.append(stream, 'no_stream', several(3));
      await ends(given, stream, expected, 1, end === 'conflict' ? 2n : end);
    });

    it('leads to a write when it is exact and matches, even if the stream already contains the ids of the events', async () => {
      const stream = given.stream();
      const events = several(2);
      await given.append(stream, 'no_stream', events);
      expect(await given.append(stream, 1n, events)).toMatchObject({ revision: 3n });
      expect(await given.ids(stream)).toEqual([...events, ...events].map(({ id }) => id));
    });
  });

  describe('2: A conflict', () => {
    it('names the stream, the expected revision and the actual revision', async () => {
      const stream = given.stream();
      await given.append(stream, 'no_stream', several(2));
      const conflict = await failureOf(given.append(stream, 5n, [noted('late')]));
      expect(conflict).toBeInstanceOf(Conflict);
      expect(conflict).toMatchObject({ kind: 'conflict', stream, expected: 5n, actual: 1n });
      expect((conflict as Conflict).message).not.toBe('');
    });

    it('names `no_stream` as the actual revision if the stream does not exist', async () => {
      const stream = given.stream();
      expect(await failureOf(given.append(stream, 0n, [noted('early')]))).toMatchObject({
        kind: 'conflict',
        stream,
        expected: 0n,
        actual: 'no_stream',
      });
    });

    it('names the actual revision to each concurrent append that was not the first', async () => {
      const stream = given.stream();
      const answers = await Promise.allSettled(several(20).map((event) => given.append(stream, 'no_stream', [event])));
      const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
      expect(reasons).toHaveLength(19);
      for (const reason of reasons) expect(reason).toMatchObject({ kind: 'conflict', actual: 0n });
    });
  });

  describe('3: The same ids with the same expected revision', () => {
    it.each<[string, ExpectedRevision]>([
      ['as a new stream', 'no_stream'],
      ['at an exact revision', 1n],
    ])('%s are not written again, and get the original answer', async (_, expected) => {
      const { stream, events, first } = await appended(given, expected);
      await given.append(stream, first.revision, several(2));
      const again = await given.append(stream, expected, events);
      expect([again.revision, again.position]).toEqual([first.revision, first.position]);
      expect(await given.ids(stream)).toHaveLength(Number(first.revision) + 3);
    });

    it('get the revision of the last repeated event, even if the original append contained further events', async () => {
      const { stream, events, first } = await appended(given, 'no_stream');
      const again = await given.append(stream, 'no_stream', events.slice(0, 2));
      expect(again.revision).toBe(1n);
      expect(again.position < first.position).toBe(true);
    });

    it.each<ExpectedRevision>(['any', 'stream_exists'])(
      'are written once by concurrent appends that expect %p',
      async (expected) => {
        const stream = given.stream();
        await given.append(stream, 'no_stream', [noted('first')]);
        const events = several(2);
        const answers = await Promise.all([1, 2, 3].map(() => given.append(stream, expected, events)));
        expect(new Set(answers.map(({ position }) => position)).size).toBe(1);
        expect(await given.ids(stream)).toHaveLength(3);
      },
    );

    it('are also recognized in capital letters', async () => {
      const { stream, events, first } = await appended(given, 'no_stream');
      const capital = events.map((event) => ({ ...event, id: event.id.toUpperCase() }));
      expect(await given.append(stream, 'no_stream', capital)).toMatchObject({ position: first.position });
    });

    where(given.can.reopen)('are known after the store was opened again', async () => {
      const log = await given.open();
      const stream = given.stream();
      const events = several(3);
      const first = await log.append(stream, events, { expected: 'no_stream' });
      const reopened = await given.can.reopen!(log);
      expect(await reopened.append(stream, events, { expected: 'no_stream' })).toMatchObject({
        revision: first.revision,
        position: first.position,
      });
      expect(await all(reopened.readStream(stream))).toHaveLength(3);
      await reopened.close();
    });
  });

  describe('4: The ids of an append, compared with those of an earlier append', () => {
    it.each<[string, (ids: string[]) => string[]]>([
      ['another first id', ([, ...rest]) => [other, ...rest]],
      ['another last id', ([a, b]) => [a!, b!, other]],
      ['more ids than were written', (ids) => [...ids, other]],
      ['another order', ([a, b, c]) => [b!, a!, c!]],
    ])('cause a conflict, and the log writes nothing (%s)', async (_, change) => {
      for (const expected of ['no_stream', 1n] as const) {
        const { stream, events } = await appended(given, expected);
        const before = await given.ids(stream);
        const changed = change(events.map(({ id }) => id)).map((id) => noted('again', id));
        expect(await failureOf(given.append(stream, expected, changed))).toMatchObject({ kind: 'conflict' });
        expect(await given.ids(stream)).toEqual(before);
      }
    });

    it('get the original answer even if the content of the events differs; the stored content does not change', async () => {
      const { stream, events, first } = await appended(given, 'no_stream');
      const changed = events.map(({ id }) => noted('changed', id));
      expect(await given.append(stream, 'no_stream', changed)).toMatchObject({ position: first.position });
      expect((await all(given.log.readStream(stream))).map(textOf)).toEqual([0, 1, 2]);
    });

    it('may occur in several streams, and twice in one append', async () => {
      const event = noted('once');
      const streams = [given.stream(), given.stream()] as const;
      await given.append(streams[0], 'no_stream', [event]);
      await given.append(streams[1], 'no_stream', [event, event]);
      expect(await given.ids(streams[1])).toEqual([event.id, event.id]);
    });
  });

  describe('5: Several events in one append', () => {
    it('are written together, or not at all', async () => {
      const stream = given.stream();
      await given.append(stream, 'no_stream', several(3));
      await failureOf(given.append(stream, 7n, several(3)));
      expect((await all(given.log.readStream(stream))).map(textOf)).toEqual([0, 1, 2]);
    });

    it('are never visible in part', async () => {
      const stream = given.stream();
      await given.append(stream, 'no_stream', several(5));
      const lengths: number[] = [];
      const writer = (async () => {
        for (let end = 4n; end < 100n; end += 5n) await given.append(stream, end, several(5));
      })();
      await until(writer, async () => void lengths.push((await given.ids(stream)).length));
      expect(lengths.filter((length) => length % 5 !== 0)).toEqual([]);
    });

    it('are refused if the list of events is empty', async () =>
      expect(await failureOf(given.append(given.stream(), 'any', []))).toMatchObject({ kind: 'invalid' }));
  });
}

const other = 'c0ffee00-0000-4000-8000-000000000001';

/** Appends three events, to a new stream or at revision 1 to a stream of two events. */
async function appended(given: UnderTest, expected: ExpectedRevision) {
  const stream = given.stream();
  if (expected !== 'no_stream') await given.append(stream, 'no_stream', several(2));
  const events = several(3);
  return { stream, events, first: await given.append(stream, expected, events) };
}

/**
 * Appends, and checks that the stream then ends at the revision `end`. After a conflict, the stream must be unchanged.
 */
async function ends(
  given: UnderTest,
  stream: string,
  expected: ExpectedRevision,
  count: number,
  end: bigint | 'no_stream',
) {
  const events = several(count);
  const answer = await given.append(stream, expected, events).catch((error: unknown) => error);
  const [last] = await all(given.log.readStream(stream, { direction: 'backwards', maxCount: 1 })).catch(() => []);
  expect(last?.revision ?? 'no_stream').toBe(end);
  const isWritten = last?.id === events.at(-1)!.id;
  expect(answer).toMatchObject(isWritten ? { revision: end } : { kind: 'conflict', actual: end });
}
