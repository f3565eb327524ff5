import type { Lease } from '../document-store';
import type { Lag } from '../lag/lag';
import type { PoisonEvent } from './fold-batch';

/**
 * The alarm for a stream that stays parked until an operator acts. The alarm contains the event that cannot be folded,
 * and the error of the fold.
 */
export type PoisonAlarm = PoisonEvent & Readonly<{ view: string; attempts: number }>;
export type ProjectionOptions = Readonly<{
  /** Called when a stream stays parked because every automatic retry failed. */
  alarm: (alarm: PoisonAlarm) => void;
  /**
   * Called with true when the lag rises above `LATE_SECONDS`, and with false when the lag is no longer above this
   * limit.
   */
  onLate?: (isLate: boolean, lag: Lag) => void;
  /** Called for every failure of the log or the store, so that the operator sees the failure. */
  onTrouble?: (why: unknown) => void;
  /**
   * Called when a check shows that the documents come from another log (`event-log.md` D5), so that the caller empties
   * its caches.
   */
  onCheckpointRejected?: () => void;
  /** Called after each commit with the new revisions of the documents, so that the caller can update its caches. */
  onCommitted?: (revisions: ReadonlyMap<string, number>) => void;
  /** Without a lease, this process always runs the projector. */
  lease?: Lease;
  /** The maximum number of events in one commit. */
  batchMax?: number;
  /**
   * The minimum number of milliseconds between two commits at the end of the log, so that a busy log causes fewer and
   * larger commits.
   */
  pace?: number;
  /** The maximum number of documents cached between batches. */
  documentsKept?: number;
  now?: () => number;
  /** The number of milliseconds since a fixed moment. Unlike `now`, this number never decreases. */
  elapsed?: () => number;
}>;
