import { setTimeout as pause } from 'node:timers/promises';
import type { Charter } from '@charter/application';
import type { ActionContext } from '../terminal/action-runner';
import { isOutputClosed, writeOutput } from '../terminal/output';
import { projectionStatus } from './projection-status';

const EVERY_MS = 1_000;

/**
 * Prints the status every second until the command is interrupted or the standard output is closed. On a terminal, each
 * status replaces the previous status. In a pipe or file, the command prints each status below the previous status.
 */
export async function watchStatus(
  charter: Charter,
  { signal }: ActionContext,
  { json }: { json?: true },
): Promise<undefined> {
  const { isTTY } = process.stdout;
  while (!isOutputClosed()) {
    const status = await projectionStatus(charter, isTTY);
    if (json) await writeOutput(`${JSON.stringify(status.json)}\n`);
    else await writeOutput(isTTY ? `${CLEAR}${status.text}\n` : `${status.text}\n\n`);
    await pause(EVERY_MS, undefined, { signal }); // throws when the command is interrupted
  }
}

/** Moves the cursor to the first column of the first line and clears the screen. */
const CLEAR = '\x1b[H\x1b[J';
