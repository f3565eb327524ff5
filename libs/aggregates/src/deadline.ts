/**
 * Milliseconds for one command or query. HTTP must answer within 5 s, even if the log does not answer (`event-log.md`
 * A8).
 */
const CALL_MS = 4_250;

/** Milliseconds that a call may wait in the queue, so that time for its execution remains. */
export const QUEUE_WAIT_MS = 3_250;

/** Milliseconds reserved for looking up the outcome of an append that got no answer. */
const LOOKUP_MS = 500;

/** Milliseconds. The shortest deadline of an append or a read. */
const LEAST_MS = 50;

/** The deadline of a call that begins now, on the clock of `performance`. */
export const deadlineFromNow = (): number => performance.now() + CALL_MS;

/** Milliseconds that a read may take. */
export const readTimeLeft = (deadline: number): number => Math.max(LEAST_MS, deadline - performance.now());

/** Milliseconds that an append may take, so that its outcome can still be looked up. */
export const appendTimeLeft = (deadline: number): number =>
  Math.max(LEAST_MS, deadline - performance.now() - LOOKUP_MS);
