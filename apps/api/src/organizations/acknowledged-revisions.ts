import type { Position } from '@charter/event-log';

/** Revisions of streams that this process has acknowledged, and must show from then on, until the read model has them. */
export type AcknowledgedRevisions = Readonly<{
  /** The revision that was promised of a stream; -1: none. */
  of: (stream: string) => number;
  add: (stream: string, revision: number, at?: Position) => void;
  /** Documents have come this far. */
  confirm: (revisions: ReadonlyMap<string, number>) => void;
}>;

/**
 * Who projects hears of each commit. Who does not sees only how far the read model has come in the log: `position` is asked
 * once there are many promises, so that they do not grow for ever.
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
