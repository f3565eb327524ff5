import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@charter/settings';

/**
 * A key for one purpose, 32 bytes, made from the session secret, so that no purpose can stand in for another.
 * The secret is the setting, or made once and kept in the data folder, readable by its owner alone (`api.md`, Settings).
 */
export type KeyFor = (purpose: 'xsrf' | 'sign-in' | 'secrets' | 'demo' | 'receipts' | 'cursors' | 'print') => Buffer;

export function keysFrom({ sessionSecret, data }: Pick<Settings, 'sessionSecret' | 'data'>): KeyFor {
  const secret = sessionSecret ?? keptIn(data);
  return (purpose) => Buffer.from(hkdfSync('sha256', secret, 'charter', purpose, 32));
}

/** Two processes may come at once: whoever makes the file first is right. */
function keptIn(data: string): string {
  const file = join(data, 'session-secret');
  mkdirSync(data, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
