import type { Position } from '@charter/event-log';

/** Revisions that this process has acknowledged. Its reads must include them, also before the read model has them. */
export type AcknowledgedRevisions = Readonly<{
  /** The acknowledged revision of a stream; -1: none. */
  of: (stream: string) => number;
  add: (stream: string, revision: number, at?: Position) => void;
  /** The read model has these revisions. */
  confirm: (revisions: ReadonlyMap<string, number>) => void;
}>;

/**
 * The projecting process gets each commit. Another process reads the position of the read model with `position`, once
 * it holds many revisions, so that they do not grow for ever.
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
