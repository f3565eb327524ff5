import type { StoredEvent } from '@charter/event-log';
import type { Lease } from '../document-store';
import type { Lag } from '../lag/lag';

/** A stream that stays parked until an operator acts: the event that cannot be folded, and its error. */
export type PoisonAlarm = Readonly<{ view: string; event: StoredEvent; why: unknown; attempts: number }>;
export type ProjectionOptions = Readonly<{
  /** Called when a stream stays parked because every retry failed. */
  alarm: (alarm: PoisonAlarm) => void;
  /** Called when the lag rises above `LATE_SECONDS`, and again when it no longer is. */
  onLate?: (isLate: boolean, lag: Lag) => void;
  /** Called for every temporary failure of log or store, for the operator. */
  onTrouble?: (why: unknown) => void;
  /** Called when the documents were made from another log (`event-log.md` D5), to empty caches. */
  onCheckpointRejected?: () => void;
  /** Called after each commit with the new revisions of documents, for caches. */
  onCommitted?: (revisions: ReadonlyMap<string, number>) => void;
  /** Without a lease this process always projects. */
  lease?: Lease;
  /** The maximum number of events in one commit. */
  batchMax?: number;
  /** Milliseconds between two commits at the end of the log, so that a busy log makes fewer and larger commits. */
  pace?: number;
  /** The number of documents cached between batches. */
  documentsKept?: number;
  now?: () => number;
}>;
