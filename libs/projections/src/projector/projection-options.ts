import type { StoredEvent } from '@charter/event-log';
import type { Lease } from '../document-store';
import type { Lag } from '../lag/lag';

/** A stream that stays behind until somebody looks: the event that cannot be folded, and what it said. */
export type PoisonAlarm = Readonly<{ view: string; event: StoredEvent; why: unknown; attempts: number }>;
export type ProjectionOptions = Readonly<{
  /** Rings once a stream stays parked: the retries did not help. */
  alarm: (alarm: PoisonAlarm) => void;
  /** Rings once the lag is above `LATE_SECONDS`, and once more when it no longer is. */
  onLate?: (isLate: boolean, lag: Lag) => void;
  /** Told of every failure of log or store that is being waited out, for the operator's eyes. */
  onTrouble?: (why: unknown) => void;
  /** The log is not the one that the documents were made from (`event-log.md` D5). For caches. */
  onCheckpointRejected?: () => void;
  /** After each commit: the revisions that documents have reached. For caches. */
  onCommitted?: (revisions: ReadonlyMap<string, number>) => void;
  /** Without one, this process always projects. */
  lease?: Lease;
  /** Events in one commit. */
  batchMax?: number;
  /** Milliseconds between two commits while keeping up, so that a busy log makes fewer and larger ones. */
  pace?: number;
  /** Documents remembered between batches. */
  documentsKept?: number;
  now?: () => number;
}>;
