import { hkdfSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@charter/settings';

/**
 * Derives a 32-byte key for one purpose from the session secret, so that no key works for another purpose. The secret
 * comes from the settings. If the settings contain no secret, Charter generates a secret once and stores it in a file
 * in the data folder. Only the file's owner can read the file (`settings.md`).
 */
export type KeyFor = (
  purpose:
    | 'xsrf'
    | 'sign-in'
    | 'device'
    | 'secrets'
    | 'demo'
    | 'receipts'
    | 'cursors'
    | 'print'
    | 'snapshots'
    | 'flags'
    | 'domains',
) => Buffer;

export function keysFrom({ sessionSecret, data }: Pick<Settings, 'sessionSecret' | 'data'>): KeyFor {
  const secret = sessionSecret ?? storedSecret(data);
  return (purpose) => Buffer.from(hkdfSync('sha256', secret, 'charter', purpose, 32));
}

/**
 * Reads the secret from its file. If two processes start at the same time, the first process creates the file, and both
 * processes read the file.
 */
function storedSecret(data: string): string {
  const file = join(data, 'session-secret');
  mkdirSync(data, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
}
