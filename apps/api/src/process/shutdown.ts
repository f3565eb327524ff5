import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A step of the shutdown. */
export type ShutdownStep = Readonly<{ what: string; do: () => unknown }>;

/**
 * Runs the steps in order. Each step has the time until `deadline` (on the clock of `performance`), but at least
 * `LEAST_MS`. If a step fails or takes too long, logs the step and begins the next step.
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

/** The minimum number of milliseconds for a step, even after the deadline. */
const LEAST_MS = 50;

/** Runs a step. Returns why the step failed; undefined if the step succeeded. */
async function ended(end: () => unknown): Promise<string | undefined> {
  try {
    await end();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
