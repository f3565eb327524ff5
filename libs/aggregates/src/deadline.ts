/**
 * The maximum duration of one command or query in milliseconds. The server must answer an HTTP request within 5 s, even
 * if the log does not answer (`event-log.md` A8).
 */
const CALL_MS = 4_250;

/**
 * The maximum time in the queue in milliseconds. The limit is shorter than `CALL_MS`, so that time for the execution
 * remains after the wait in the queue.
 */
export const QUEUE_WAIT_MS = 3_250;

/** If the log does not answer an append, this many milliseconds remain to look up the append's outcome. */
const LOOKUP_MS = 500;

/** The shortest time limit of an append or a read in milliseconds. */
const LEAST_MS = 50;

/** The deadline of a call that begins now, on the clock of `performance`. */
export const deadlineFromNow = (): number => performance.now() + CALL_MS;

/** The number of milliseconds that a read of the log may take, so that the call meets its deadline. */
export const readTimeLeft = (deadline: number): number => Math.max(LEAST_MS, deadline - performance.now());

/**
 * The number of milliseconds that an append may take. Afterwards, `LOOKUP_MS` remain to look up the append's outcome.
 */
export const appendTimeLeft = (deadline: number): number =>
  Math.max(LEAST_MS, deadline - performance.now() - LOOKUP_MS);
