import { type AppendInput, decideAppend, recentEventIds } from './append-rule';
import type { ExpectedRevision } from './port';

const write = { kind: 'write' };
const conflict = { kind: 'conflict' };
const repeated = (revision: bigint) => ({ kind: 'repeated', revision });

/** The decision about an append of the events `ids` to a stream that already contains the events `stored`. */
function decisionFor(stored: string[], expected: ExpectedRevision, ids: string[], recent: string[] = []) {
  const question: AppendInput = {
    current: BigInt(stored.length) - 1n,
    expected,
    ids,
    storedIdAt: (revision) => stored[Number(revision)],
    recentRevisionOf: (id) => (recent.includes(id) ? BigInt(recent.indexOf(id)) : undefined),
  };
  return decideAppend(question);
}

describe('Append to a stream that never existed', () => {
  it.each<[ExpectedRevision, object]>([
    ['any', write],
    ['no_stream', write],
    ['stream_exists', conflict],
    [0n, conflict],
    [7n, conflict],
  ])('gets the decision of `event-log.md` A1 with the expected revision %p', (expected, verdict) =>
    expect(decisionFor([], expected, ['a'])).toEqual(verdict),
  );
});

describe('Append to a stream of three events, a, b and c', () => {
  it.each<[string, ExpectedRevision, string[], object]>([
    ['at its end', 2n, ['d'], write],
    ['at its end, with ids that it already contains', 2n, ['a', 'c', 'c'], write],
    ['beyond its end', 3n, ['d'], conflict],
    ['before its end, with another id', 1n, ['d'], conflict],
    ['before its end, with the same id', 1n, ['c'], repeated(2n)],
    ['from its middle, with the same ids', 0n, ['b', 'c'], repeated(2n)],
    ['from its middle, with fewer of the same ids', 0n, ['b'], repeated(1n)],
    ['from its middle, when a later id differs', 0n, ['b', 'd'], conflict],
    ['from its middle, with more ids than it contains', 0n, ['b', 'c', 'd'], conflict],
    ['from its middle, when the ids come in another order', 0n, ['c', 'b'], conflict],
    ['as a new stream, with another id', 'no_stream', ['d'], conflict],
    ['as a new stream, with the same ids', 'no_stream', ['a', 'b', 'c'], repeated(2n)],
    ['as a new stream, with fewer of the same ids', 'no_stream', ['a'], repeated(0n)],
    ['as a new stream, when a later id differs', 'no_stream', ['a', 'd'], conflict],
  ])('gets the decision of `event-log.md` A1: %s', (_, expected, ids, verdict) =>
    expect(decisionFor(['a', 'b', 'c'], expected, ids)).toEqual(verdict),
  );

  describe.each<ExpectedRevision>(['any', 'stream_exists'])(
    'with the expected revision %p, after this process committed a and b',
    (expected) => {
      it.each<[string, string[], object]>([
        ['writes new ids', ['d', 'e'], write],
        ['reports known ids as a repeated append', ['a', 'b'], repeated(1n)],
        ['answers with the revision of the last id of the append', ['b', 'a'], repeated(0n)],
        ['writes both ids when a new one comes before a known one', ['d', 'a'], write],
        ['is a conflict when a known id comes before a new one', ['a', 'd'], conflict],
        ['writes an id again that is no longer among the recent ones', ['c'], write],
      ])('%s', (_, ids, verdict) => expect(decisionFor(['a', 'b', 'c'], expected, ids, ['a', 'b'])).toEqual(verdict));
    },
  );
});

describe('Recent event ids', () => {
  it('are stored separately for each stream', () => {
    const recent = recentEventIds();
    recent.add('s-1', 'a', 4n);
    expect([recent.revisionOf('s-1', 'a'), recent.revisionOf('s-2', 'a')]).toEqual([4n, undefined]);
  });

  it('no longer contain an id that was rolled back', () => {
    const recent = recentEventIds();
    recent.add('s-1', 'a', 4n);
    recent.remove('s-1', 'a');
    expect(recent.revisionOf('s-1', 'a')).toBeUndefined();
  });

  it('always include the newest ids, at least half as many as the capacity, and never exceed the capacity', () => {
    const recent = recentEventIds(10);
    for (let id = 0; id < 1000; id++) recent.add('s', `${id}`, BigInt(id));
    const known = Array.from({ length: 1000 }, (_, id) => id).filter(
      (id) => recent.revisionOf('s', `${id}`) !== undefined,
    );
    expect(known.length).toBeLessThanOrEqual(10);
    expect(known).toEqual(expect.arrayContaining([995, 996, 997, 998, 999]));
  });
});
