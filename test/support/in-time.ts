import { setImmediate as yieldToLoop, setTimeout as pause } from 'node:timers/promises';

/**
 * The outcome of `pending`, if it settles before a timer of `ms` milliseconds of this process. A clock would also count
 * the time in which a busy machine does not run this process. Then the timers of the tested code are late, too.
 * @throws Error if the timer ends first
 */
export async function inTime<Answer>(ms: number, pending: Promise<Answer>): Promise<Answer> {
  const settled = new AbortController();
  const late = async () => {
    await pause(ms, undefined, { signal: settled.signal });
    // After a pause of the process, several timers end together. The loop then still runs the callbacks of the others.
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
