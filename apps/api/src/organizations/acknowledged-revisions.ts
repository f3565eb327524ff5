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
  const owed = new Map<string, Readonly<{ revision: number; at: Position | undefined }>>();
  let many = MANY;

  const forgetKept = () => {
    const reached = position();
    for (const [stream, { at }] of owed) if (at !== undefined && at <= reached) owed.delete(stream);
    many = Math.max(MANY, 2 * owed.size);
  };
  return {
    of: (stream) => owed.get(stream)?.revision ?? -1,
    add: (stream, revision, at) => {
      if (revision <= (owed.get(stream)?.revision ?? -1)) return;
      owed.set(stream, { revision, at });
      if (owed.size >= many) forgetKept();
    },
    confirm: (revisions) => {
      for (const [stream, revision] of revisions)
        if ((owed.get(stream)?.revision ?? Infinity) <= revision) owed.delete(stream);
    },
  };
}

const MANY = 1_000;
