import type { ExpectedRevision } from './port';

/** The input of the decision about an append: the append and the facts about its stream. */
export type AppendInput = Readonly<{
  /** The last revision of the stream; -1 if the stream never existed. */
  current: bigint;
  expected: ExpectedRevision;
  /** The lower-case ids of the events to append, in their order. */
  ids: readonly string[];
  /** The id of the event at a revision of this stream. */
  storedIdAt: (revision: bigint) => string | undefined;
  /** The revision of the event with this id, if this process has recently committed the event to this stream. */
  recentRevisionOf: (id: string) => bigint | undefined;
}>;

/**
 * `repeated`: the store already contains these events, so it writes nothing. `revision` is the revision of the stored
 * event that corresponds to the append's last event.
 */
export type AppendDecision =
  Readonly<{ kind: 'write' }> | Readonly<{ kind: 'repeated'; revision: bigint }> | Readonly<{ kind: 'conflict' }>;

/**
 * Implements the table of `event-log.md` A1 without its rows about deleted streams. Only another tool can delete a
 * stream, and only on an EventStoreDB server.
 */
export function decideAppend(question: AppendInput): AppendDecision {
  const { current, expected } = question;
  if (expected === 'any') return exists(question) ? weakCheck(question) : write;
  if (expected === 'stream_exists') return exists(question) ? weakCheck(question) : conflict;

  const after = expected === 'no_stream' ? -1n : expected;
  if (after === current) return write; // an append after the last event needs no comparison of ids
  return after > current ? conflict : strongCheck(question, after);
}

const write = { kind: 'write' } as const;
const conflict = { kind: 'conflict' } as const;

const exists = ({ current }: AppendInput) => current >= 0n;

/**
 * The strong check of `event-log.md` A1. The strong check compares ids with stored events, so it works even after a
 * restart.
 */
function strongCheck({ ids, storedIdAt }: AppendInput, after: bigint): AppendDecision {
  const same = ids.every((id, index) => storedIdAt(after + 1n + BigInt(index)) === id);
  return same ? { kind: 'repeated', revision: after + BigInt(ids.length) } : conflict;
}

/**
 * The weak check of `event-log.md` A1. If the first id is new, the store writes the whole append, even if it knows
 * later ids.
 */
function weakCheck({ ids, recentRevisionOf }: AppendInput): AppendDecision {
  const seen = ids.map(recentRevisionOf);
  const last = seen.at(-1);
  if (seen[0] === undefined) return write;
  return last === undefined || seen.includes(undefined) ? conflict : { kind: 'repeated', revision: last };
}

/**
 * Event ids that this process committed recently, for the weak check. The number of recent ids is limited, and a
 * restart forgets them.
 */
export type RecentEventIds = Readonly<{
  revisionOf: (stream: string, id: string) => bigint | undefined;
  add: (stream: string, id: string, revision: bigint) => void;
  /** Removes the id of an event whose transaction was rolled back. */
  remove: (stream: string, id: string) => void;
}>;

/**
 * Contains at least the newest `capacity / 2` ids. The ids form two generations: when the newer generation is full, it
 * replaces the older generation.
 */
export function recentEventIds(capacity = 100_000): RecentEventIds {
  let newer = new Map<string, bigint>();
  let older = new Map<string, bigint>();
  // All ids have the same length, so different pairs have different keys.
  const key = (stream: string, id: string) => id + stream;

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
