import type { Position } from '@charter/event-log';

/**
 * For each stream, the newest revision that this process has acknowledged to a caller. Reads in this process include
 * the acknowledged revision even if the read model lags.
 */
export type AcknowledgedRevisions = Readonly<{
  /** The acknowledged revision of a stream; -1 if there is none. */
  of: (stream: string) => number;
  add: (stream: string, revision: number, at?: Position) => void;
  /** Removes revisions that the read model contains. */
  confirm: (revisions: ReadonlyMap<string, number>) => void;
}>;

/**
 * In the process that projects, each commit of the read model calls `confirm`. A process that does not project reads
 * `position` when it has stored many revisions, and removes the revisions that the read model contains.
 */
export function createAcknowledgedRevisions(position: () => Position): AcknowledgedRevisions {
  const acknowledged = new Map<string, Readonly<{ revision: number; at: Position | undefined }>>();
  let checkAt = CHECKED_FROM;

  const forgetProjected = () => {
    const reached = position();
    for (const [stream, { at }] of acknowledged) if (at !== undefined && at <= reached) acknowledged.delete(stream);
    checkAt = Math.max(CHECKED_FROM, 2 * acknowledged.size);
  };
  return {
    of: (stream) => acknowledged.get(stream)?.revision ?? -1,
    add: (stream, revision, at) => {
      if (revision <= (acknowledged.get(stream)?.revision ?? -1)) return;
      acknowledged.set(stream, { revision, at });
      if (acknowledged.size >= checkAt) forgetProjected();
    },
    confirm: (revisions) => {
      for (const [stream, revision] of revisions)
        if ((acknowledged.get(stream)?.revision ?? Infinity) <= revision) acknowledged.delete(stream);
    },
  };
}

const CHECKED_FROM = 1_000;
