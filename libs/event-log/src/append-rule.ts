import type { ExpectedRevision } from './port';

/** What a log knows about a stream when it is asked to append to it. */
export type AppendQuestion = Readonly<{
  /** The last revision of the stream; -1 when it never existed. */
  current: bigint;
  expected: ExpectedRevision;
  /** The ids of the events to append, in their order, in lower case. */
  ids: readonly string[];
  /** The id of the event that lies at a revision of this stream. */
  storedIdAt: (revision: bigint) => string | undefined;
  /** Where this process has lately seen an id committed to this stream. */
  recentRevisionOf: (id: string) => bigint | undefined;
}>;

/** `repeated`: it happened before, `revision` is that of its original last event, and nothing is to be written. */
export type AppendDecision =
  Readonly<{ kind: 'write' }> | Readonly<{ kind: 'repeated'; revision: bigint }> | Readonly<{ kind: 'conflict' }>;

/** The table of `event-log.md` A1, without deletions, which only an outside tool can bring about on a server. */
export function decideAppend(question: AppendQuestion): AppendDecision {
  const { current, expected } = question;
  if (expected === 'any') return exists(question) ? weakCheck(question) : write;
  if (expected === 'stream_exists') return exists(question) ? weakCheck(question) : conflict;

  const after = expected === 'no_stream' ? -1n : expected;
  if (after === current) return write; // whatever the ids are
  return after > current ? conflict : strongCheck(question, after);
}

const write = { kind: 'write' } as const;
const conflict = { kind: 'conflict' } as const;

const exists = ({ current }: AppendQuestion) => current >= 0n;

/** Compares with what is stored, so it holds for ever and across restarts. */
function strongCheck({ ids, storedIdAt }: AppendQuestion, after: bigint): AppendDecision {
  const same = ids.every((id, index) => storedIdAt(after + 1n + BigInt(index)) === id);
  return same ? { kind: 'repeated', revision: after + BigInt(ids.length) } : conflict;
}

/** Knows only what was committed lately. A first id that is new lets everything through, even known ids behind it. */
function weakCheck({ ids, recentRevisionOf }: AppendQuestion): AppendDecision {
  const seen = ids.map(recentRevisionOf);
  const last = seen.at(-1);
  if (seen[0] === undefined) return write;
  return last === undefined || seen.includes(undefined) ? conflict : { kind: 'repeated', revision: last };
}

/** The bounded memory behind the weak check: per process, empty after a restart. */
export type RecentIds = Readonly<{
  revisionOf: (stream: string, id: string) => bigint | undefined;
  remember: (stream: string, id: string, revision: bigint) => void;
  /** For what was rolled back. */
  forget: (stream: string, id: string) => void;
}>;

/** Keeps at least the newer half of `capacity` ids, in two generations: the older one is dropped as a whole. */
export function recentIds(capacity = 100_000): RecentIds {
  let newer = new Map<string, bigint>();
  let older = new Map<string, bigint>();
  const key = (stream: string, id: string) => id + stream; // ids have one length, so no two pairs share a key

  return {
    revisionOf: (stream, id) => newer.get(key(stream, id)) ?? older.get(key(stream, id)),
    remember: (stream, id, revision) => {
      newer.set(key(stream, id), revision);
      if (newer.size >= capacity / 2) [older, newer] = [newer, new Map<string, bigint>()];
    },
    forget: (stream, id) => {
      newer.delete(key(stream, id));
      older.delete(key(stream, id));
    },
  };
}
