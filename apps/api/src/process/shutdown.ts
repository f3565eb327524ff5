import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** One thing to be done at the end. */
export type ShutdownStep = Readonly<{ what: string; do: () => unknown }>;

/**
 * Ends one after the other, all before `by` (as `performance.now()` counts). What fails or takes longer, because a store is
 * away perhaps, is logged and left: it keeps nothing else from ending.
 */
export async function shutDownInOrder(
  steps: readonly ShutdownStep[],
  by: number,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  for (const { what, do: end } of steps) {
    const late = pause(Math.max(LEAST_MS, by - performance.now()), 'it takes too long', { ref: false });
    const why = await Promise.race([ended(end), late]);
    if (why !== undefined) logger.warn({ what, why }, 'something did not end in good order');
  }
}

/** Also what comes after something that took too long gets a moment. */
const LEAST_MS = 50;

/** Undefined: it did. */
async function ended(end: () => unknown): Promise<string | undefined> {
  try {
    await end();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
