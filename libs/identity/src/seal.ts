import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { RandomSource } from './keys';

/**
 * Encrypts a secret of another party for storage, with AES-256-GCM and a random nonce.
 * @param key 32 bytes
 */
export function sealSecret(key: KeyObject, text: string, random: RandomSource): string {
  const nonce = Buffer.from(random.bytes(NONCE_BYTES));
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')}`;
}

/** Decrypts a sealed text. Returns undefined if the text was encrypted with another key or was changed afterwards. */
export function unsealSecret(key: KeyObject, sealed: string): string | undefined {
  const [version, packed = ''] = sealed.split('.');
  const bytes = Buffer.from(packed, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const shown = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return Buffer.concat(shown).toString('utf8');
  } catch {
    return undefined;
  }
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
