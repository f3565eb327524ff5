import type { LogErrorKind } from '../../errors';
import type { ExpectedRevision, TransactionLimits } from '../../port';

/** The limits of one transaction of the writer (`event-log.md` C2). */
export const transactionLimits: TransactionLimits = { appends: 64, events: 512, bytes: 4 * 1024 * 1024 };

/**
 * One append as the queue sends it to the writer. A job is a tuple of plain values, because threads exchange tuples
 * three times as fast as objects.
 */
export type AppendJob = readonly [
  stream: string,
  expected: ExpectedRevision,
  /** A time in milliseconds, as `monotonicNow` returns it. */
  deadline: number,
  bytes: number,
  events: readonly JobEvent[],
];
export type JobEvent = readonly [id: string, type: string, data: string, metadata: string | null];

/** The outcome of one job. `position` is the number of the job's last event in the table. */
export type AppendOutcome =
  | readonly [kind: 'appended', revision: bigint, position: number, repeated: boolean]
  | readonly [kind: 'conflict', current: bigint]
  | readonly [kind: 'failed', as: LogErrorKind, why: string];

/**
 * Messages to the writer: the next jobs, a request to empty the WAL between two transactions, or the end. Before
 * it ends, the writer finishes all jobs. After `truncate-and-close`, it then also empties the WAL.
 */
export type ToWriter = readonly AppendJob[] | 'truncate' | 'close' | 'truncate-and-close';

/**
 * The outcomes of a batch, in the order of its jobs. `stopped` says why the writer accepts no more jobs until a
 * restart.
 */
export type CommitResult = Readonly<{ outcomes: readonly AppendOutcome[]; stopped?: string }>;

export type FromWriter = 'ready' | CommitResult;

/** Messages from the checkpointer: a request to truncate the WAL, or the size of a large WAL in bytes. */
export type FromCheckpointer = 'truncate' | Readonly<{ large: number }>;

/** The time in milliseconds on a clock that never jumps and that all threads share. */
export const monotonicNow = () => Number(process.hrtime.bigint() / 1_000_000n);
