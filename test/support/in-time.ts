import { setImmediate as yieldToLoop, setTimeout as pause } from 'node:timers/promises';

/**
 * Returns the outcome of `pending`, if `pending` settles before a timer of `ms` milliseconds ends. While a busy machine
 * does not run this process, the timers of the tested code are late, and so is this timer. A deadline by the clock
 * would end too early.
 * @throws Error if the timer ends first
 */
export async function inTime<Answer>(ms: number, pending: Promise<Answer>): Promise<Answer> {
  const settled = new AbortController();
  const late = async () => {
    await pause(ms, undefined, { signal: settled.signal });
    // After a pause of the process, several timers end together. These rounds run the callbacks of the other timers.
    for (let rounds = 0; rounds < LOOP_ROUNDS; rounds += 1) await yieldToLoop(undefined, { signal: settled.signal });
    throw new Error(`No outcome within ${ms} ms.`);
  };
  try {
    return await Promise.race([pending, late()]);
  } finally {
    settled.abort();
  }
}

const LOOP_ROUNDS = 50;
