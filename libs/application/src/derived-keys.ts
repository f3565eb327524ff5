import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StoreRefused } from '@charter/event-log';
import type { Settings } from '@charter/settings';
import { readOrCreateSecret, secretFiles } from './secret-file';

/**
 * Derives a 32-byte key for one purpose from the session secret, so that no key works for another purpose. The secret
 * comes from the settings. If the settings contain no secret, Charter generates a secret once and stores it in a file
 * in the data folder. Only the file's owner can read the file (`settings.md`). Derives each key once.
 * Returns a `KeyObject`, because with the bytes of a key Node needs about 40 µs more for each HMAC.
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
) => KeyObject;

export function keysFrom({ sessionSecret, data }: Pick<Settings, 'sessionSecret' | 'data'>): KeyFor {
  const secret = sessionSecret ?? storedSecret(data);
  const derived = new Map<string, KeyObject>();
  return (purpose) => {
    const key =
      derived.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'charter', purpose, 32)));
    derived.set(purpose, key);
    return key;
  };
}

/** @throws StoreRefused if the file is empty or cut off: other people could guess the keys from a short secret */
function storedSecret(data: string): string {
  const name = secretFiles.SESSION_SECRET;
  const secret = readOrCreateSecret(data, name, () => randomBytes(48).toString('base64url')).trim();
  if (secret.length >= SECRET_LENGTH_MIN) return secret;
  throw new StoreRefused(
    `${join(data, name)} is not a session secret: it must hold at least ${SECRET_LENGTH_MIN} characters. Restore the right file, for ` +
      'example from a backup. If no server has used this folder yet, delete the file.',
  );
}

/** The minimum number of characters of a secret, as in the setting `SESSION_SECRET`. */
const SECRET_LENGTH_MIN = 32;
