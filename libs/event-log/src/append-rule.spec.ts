import { type AppendQuestion, decideAppend, recentIds } from './append-rule';
import type { ExpectedRevision } from './port';

const write = { kind: 'write' };
const conflict = { kind: 'conflict' };
const repeated = (revision: bigint) => ({ kind: 'repeated', revision });

/** A stream that holds these ids, and what is asked of it. */
function asked(stored: string[], expected: ExpectedRevision, ids: string[], recent: string[] = []) {
  const question: AppendQuestion = {
    current: BigInt(stored.length) - 1n,
    expected,
    ids,
    storedIdAt: (revision) => stored[Number(revision)],
    recentRevisionOf: (id) => (recent.includes(id) ? BigInt(recent.indexOf(id)) : undefined),
  };
  return decideAppend(question);
}

describe('an append to a stream that never existed', () => {
  it.each<[ExpectedRevision, object]>([
    ['any', write],
    ['no_stream', write],
    ['stream_exists', conflict],
    [0n, conflict],
    [7n, conflict],
  ])('that expects %p', (expected, verdict) => expect(asked([], expected, ['a'])).toEqual(verdict));
});

describe('an append to a stream of three events, a, b and c', () => {
  it.each<[string, ExpectedRevision, string[], object]>([
    ['at its end', 2n, ['d'], write],
    ['at its end, with ids that it holds already', 2n, ['a', 'c', 'c'], write],
    ['beyond its end', 3n, ['d'], conflict],
    ['before its end, with another id', 1n, ['d'], conflict],
    ['before its end, with the same id', 1n, ['c'], repeated(2n)],
    ['from its middle, with the same ids', 0n, ['b', 'c'], repeated(2n)],
    ['from its middle, with fewer of the same ids', 0n, ['b'], repeated(1n)],
    ['from its middle, when a later id differs', 0n, ['b', 'd'], conflict],
    ['from its middle, with more ids than it holds', 0n, ['b', 'c', 'd'], conflict],
    ['from its middle, when the ids come in another order', 0n, ['c', 'b'], conflict],
    ['as a new stream, with another id', 'no_stream', ['d'], conflict],
    ['as a new stream, with the same ids', 'no_stream', ['a', 'b', 'c'], repeated(2n)],
    ['as a new stream, with fewer of the same ids', 'no_stream', ['a'], repeated(0n)],
    ['as a new stream, when a later id differs', 'no_stream', ['a', 'd'], conflict],
  ])('%s', (_, expected, ids, verdict) => expect(asked(['a', 'b', 'c'], expected, ids)).toEqual(verdict));

  describe.each<ExpectedRevision>(['any', 'stream_exists'])('that expects %p, with a and b lately seen', (expected) => {
    it.each<[string, string[], object]>([
      ['new ids are written', ['d', 'e'], write],
      ['known ids were written before', ['a', 'b'], repeated(1n)],
      ['the answer names the last of them', ['b', 'a'], repeated(0n)],
      ['a new id before a known one lets both through', ['d', 'a'], write],
      ['a known id before a new one is a conflict', ['a', 'd'], conflict],
      ['an id that was forgotten is written again', ['c'], write],
    ])('%s', (_, ids, verdict) => expect(asked(['a', 'b', 'c'], expected, ids, ['a', 'b'])).toEqual(verdict));
  });
});

describe('the memory of recent ids', () => {
  it('knows a stream and an id together', () => {
    const recent = recentIds();
    recent.remember('s-1', 'a', 4n);
    expect([recent.revisionOf('s-1', 'a'), recent.revisionOf('s-2', 'a')]).toEqual([4n, undefined]);
  });

  it('forgets what was rolled back', () => {
    const recent = recentIds();
    recent.remember('s-1', 'a', 4n);
    recent.forget('s-1', 'a');
    expect(recent.revisionOf('s-1', 'a')).toBeUndefined();
  });

  it('holds at least the newer half of its capacity, and never more than all of it', () => {
    const recent = recentIds(10);
    for (let id = 0; id < 1000; id++) recent.remember('s', `${id}`, BigInt(id));
    const known = Array.from({ length: 1000 }, (_, id) => id).filter(
      (id) => recent.revisionOf('s', `${id}`) !== undefined,
    );
    expect(known.length).toBeLessThanOrEqual(10);
    expect(known).toEqual(expect.arrayContaining([995, 996, 997, 998, 999]));
  });
});
