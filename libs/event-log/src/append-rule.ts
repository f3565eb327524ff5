import type { ExpectedRevision } from './port';

/** The state of a stream at the moment of an append, as far as the decision needs it. */
export type AppendInput = Readonly<{
  /** The last revision of the stream; -1 when it never existed. */
  current: bigint;
  expected: ExpectedRevision;
  /** The ids of the events to append, in their order, in lower case. */
  ids: readonly string[];
  /** The id of the event at a revision of this stream. */
  storedIdAt: (revision: bigint) => string | undefined;
  /** The revision at which this process recently committed an id to this stream. */
  recentRevisionOf: (id: string) => bigint | undefined;
}>;

/**
 * `repeated`: the store holds these events already. `revision` is that of the original last event; nothing is written.
 */
export type AppendDecision =
  Readonly<{ kind: 'write' }> | Readonly<{ kind: 'repeated'; revision: bigint }> | Readonly<{ kind: 'conflict' }>;

/**
 * The table of `event-log.md` A1, without deletions: only an outside tool can delete a stream, and only on a server.
 */
export function decideAppend(question: AppendInput): AppendDecision {
  const { current, expected } = question;
  if (expected === 'any') return exists(question) ? weakCheck(question) : write;
  if (expected === 'stream_exists') return exists(question) ? weakCheck(question) : conflict;

  const after = expected === 'no_stream' ? -1n : expected;
  if (after === current) return write; // the ids do not matter here
  return after > current ? conflict : strongCheck(question, after);
}

const write = { kind: 'write' } as const;
const conflict = { kind: 'conflict' } as const;

const exists = ({ current }: AppendInput) => current >= 0n;

/** The strong check of `event-log.md` A1: compares with stored events, so it also holds after a restart. */
function strongCheck({ ids, storedIdAt }: AppendInput, after: bigint): AppendDecision {
  const same = ids.every((id, index) => storedIdAt(after + 1n + BigInt(index)) === id);
  return same ? { kind: 'repeated', revision: after + BigInt(ids.length) } : conflict;
}

/** The weak check of `event-log.md` A1. A first id that is new writes the whole append, even known ids behind it. */
function weakCheck({ ids, recentRevisionOf }: AppendInput): AppendDecision {
  const seen = ids.map(recentRevisionOf);
  const last = seen.at(-1);
  if (seen[0] === undefined) return write;
  return last === undefined || seen.includes(undefined) ? conflict : { kind: 'repeated', revision: last };
}

/** Recently committed event ids, for the weak check: bounded, for each process, empty after a restart. */
export type RecentEventIds = Readonly<{
  revisionOf: (stream: string, id: string) => bigint | undefined;
  add: (stream: string, id: string, revision: bigint) => void;
  /** Drops an id that was rolled back. */
  remove: (stream: string, id: string) => void;
}>;

/** Keeps at least the newer half of `capacity` ids, in two generations: the older one is dropped as a whole. */
export function recentEventIds(capacity = 100_000): RecentEventIds {
  let newer = new Map<string, bigint>();
  let older = new Map<string, bigint>();
  const key = (stream: string, id: string) => id + stream; // ids have one length, so no two pairs share a key

  return {
    revisionOf: (stream, id) => newer.get(key(stream, id)) ?? older.get(key(stream, id)),
    add: (stream, id, revision) => {
      newer.set(key(stream, id), revision);
      if (newer.size >= capacity / 2) [older, newer] = [newer, new Map<string, bigint>()];
    },
    remove: (stream, id) => {
      newer.delete(key(stream, id));
      older.delete(key(stream, id));
    },
  };
}
