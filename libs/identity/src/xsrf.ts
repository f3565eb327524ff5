import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RandomSource } from './keys';

/**
 * Makes a token. A token in a request proves that one of Charter's pages sent the request. The token belongs to one
 * session, which may be the anonymous session before sign-in (`acceptance.md` D; `decisions.md`, Signing in, 4).
 */
export function xsrfToken(key: KeyObject, sessionId: string, random: RandomSource): string {
  const nonce = Buffer.from(random.bytes(32)).toString('base64url');
  return `${signature(key, sessionId, nonce).toString('base64url')}.${nonce}`;
}

/** Whether the token was made for this session. The comparison takes constant time. */
export function isXsrfToken(key: KeyObject, sessionId: string, token: string): boolean {
  const [, given = '', nonce = ''] = /^([\w-]{43})\.([\w-]{43})$/.exec(token) ?? [];
  const right = signature(key, sessionId, nonce).toString('base64url');
  return given !== '' && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

/** The length of each part precedes the part, so that different parts never give the same text. */
const signature = (key: KeyObject, sessionId: string, nonce: string) =>
  createHmac('sha256', key).update(`${sessionId.length}!${sessionId}!${nonce.length}!${nonce}`).digest();
