import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A step of the shutdown. */
export type ShutdownStep = Readonly<{ what: string; do: () => unknown }>;

/**
 * Runs the steps in order and ends before `deadline` (`performance.now()` time). A step that fails or takes too long is
 * logged, and the next step begins.
 */
export async function shutDownInOrder(
  steps: readonly ShutdownStep[],
  deadline: number,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const { what, do: end } of steps) {
    const late = pause(Math.max(LEAST_MS, deadline - performance.now()), 'it takes too long', { ref: false });
    const why = await Promise.race([ended(end), late]);
    if (why !== undefined) logger.warn({ what, why }, 'a step of the shutdown failed');
  }
}

/** Milliseconds for each step that begins after the deadline. */
const LEAST_MS = 50;

/** Runs a step. Returns why it failed; undefined: it succeeded. */
async function ended(end: () => unknown): Promise<string | undefined> {
  try {
    await end();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
