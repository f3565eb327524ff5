import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { PurgeResult } from '../database';
import { isBusy } from './failure';
import type { FileHealth } from './file-health';

/**
 * Empties the write-ahead log, because it still contains erased data. In the file itself, `secure_delete` has already
 * overwritten the data. Another process may be using the write-ahead log, so the function repeats its attempts for some
 * seconds.
 */
export async function purge(file: string, health: FileHealth, truncate: () => Promise<boolean>): Promise<PurgeResult> {
  const end = Date.now() + PURGE_MS;
  do {
    if (health.lost() !== undefined) break;
    if (await truncate()) return { outcome: 'done', remains: null };
    await pause(PAUSE_MS);
  } while (Date.now() < end);
  const held = `Another connection is using the write-ahead log of ${file}, so erased data stays in the log.`;
  return { outcome: 'failed', remains: health.lost() ?? held };
}

/** Tries once to empty the write-ahead log on this connection. */
export function truncateLog(database: DatabaseSync, health: FileHealth): boolean {
  if (health.lost() !== undefined) return false;
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch (why) {
    health.stopWritesIfLost(why);
    if (isBusy(why)) return false;
    throw why;
  }
}

/** How long a purge tries to empty the write-ahead log, and the pause between two attempts; in milliseconds. */
const PURGE_MS = 4_000;
const PAUSE_MS = 20;
