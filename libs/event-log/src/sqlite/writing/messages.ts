import type { LogErrorKind } from '../../errors';
import type { ExpectedRevision } from '../../port';

/** One append on its way to the writer. A tuple of plain values, because that crosses between threads three times faster than objects. */
export type AppendJob = readonly [
  stream: string,
  expected: ExpectedRevision,
  /** On the clock of `ticks`. */
  deadline: number,
  bytes: number,
  events: readonly JobEvent[],
];
export type JobEvent = readonly [id: string, type: string, data: string, metadata: string | null];

/** What became of one job. `position` is the number in the table. */
export type AppendOutcome =
  | readonly [kind: 'appended', revision: bigint, position: number, repeated: boolean]
  | readonly [kind: 'conflict', current: bigint]
  | readonly [kind: 'failed', as: LogErrorKind, why: string];

/** To the writer: the next jobs, an interruption to empty the WAL, or the end. */
export type ToWriter = readonly AppendJob[] | 'truncate' | 'close';

/** What became of a batch, in the order of its jobs. `stopped` says why the writer takes no more, until a restart. */
export type CommitResult = Readonly<{ outcomes: readonly AppendOutcome[]; stopped?: string }>;

export type FromWriter = 'ready' | CommitResult;

/** From the checkpointer: the WAL does not shrink beside the writer; it is this large; or the disk fails, which is final. */
export type FromCheckpointer = 'truncate' | Readonly<{ large: number }> | Readonly<{ broken: string }>;

/** Milliseconds of a clock that never jumps and that all threads share. */
export const monotonicNow = () => Number(process.hrtime.bigint() / 1_000_000n);
