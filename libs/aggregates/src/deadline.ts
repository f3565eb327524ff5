/**
 * Milliseconds in which whoever tells or asks is answered, one way or another: HTTP answers within 5 s, also when the log
 * does not (`event-log.md` A8).
 */
const PATIENCE_MS = 4_250;

/** How long of it one may wait for those before: somebody whose turn comes must have time to do something with it. */
export const QUEUE_WAIT_MS = 3_250;

/** What is kept back of it, to ask whether an append without an answer has happened. */
const LOOKUP_MS = 500;

/** An append is never sent with less than this. */
const LEAST_MS = 50;

/** The moment, on the clock of `performance`, up to which somebody who comes now is patient. */
export const deadlineFromNow = (): number => performance.now() + PATIENCE_MS;

/** Milliseconds that a read may take. */
export const readTimeLeft = (until: number): number => Math.max(LEAST_MS, until - performance.now());

/** Milliseconds that an append may take, so that its outcome can still be looked up. */
export const appendTimeLeft = (until: number): number => Math.max(LEAST_MS, until - performance.now() - LOOKUP_MS);
