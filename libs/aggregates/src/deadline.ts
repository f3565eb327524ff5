/**
 * The time for one command or query in milliseconds: HTTP must answer within 5 s, also when the log does not
 * (`event-log.md` A8).
 */
const CALL_MS = 4_250;

/** How much of it may pass in the queue, so that time for the execution remains. */
export const QUEUE_WAIT_MS = 3_250;

/** How much of it is reserved to look up the outcome of an append without an answer. */
const LOOKUP_MS = 500;

/** The least deadline of an append or a read. */
const LEAST_MS = 50;

/** The deadline of a call that begins now, on the clock of `performance`. */
export const deadlineFromNow = (): number => performance.now() + CALL_MS;

/** Milliseconds that a read may take. */
export const readTimeLeft = (deadline: number): number => Math.max(LEAST_MS, deadline - performance.now());

/** Milliseconds that an append may take, so that its outcome can still be looked up. */
export const appendTimeLeft = (deadline: number): number =>
  Math.max(LEAST_MS, deadline - performance.now() - LOOKUP_MS);
