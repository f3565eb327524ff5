import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives each caller its own turn of the event loop, in the order of the calls. Requests with much synchronous work wait
 * for a turn, so that the process answers other requests between two such requests.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn()));
}
