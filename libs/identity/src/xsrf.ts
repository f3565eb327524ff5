import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RandomSource } from './keys';

/**
 * The token that proves that a page of ours sent a request: bound to one session, also to the anonymous one before
 * sign-in (`acceptance.md` D; `decisions.md`, Signing in, 4).
 */
export function xsrfToken(key: Buffer, sessionId: string, random: RandomSource): string {
  const chance = Buffer.from(random.bytes(32)).toString('base64url');
  return `${signature(key, sessionId, chance).toString('base64url')}.${chance}`;
}

/** Whether the token was made for this session, in a time that does not depend on how near it comes. */
export function isXsrfToken(key: Buffer, sessionId: string, token: string): boolean {
  const [, given = '', chance = ''] = /^([\w-]{43})\.([\w-]{43})$/.exec(token) ?? [];
  const right = signature(key, sessionId, chance).toString('base64url');
  return given !== '' && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}

/** Lengths stand before what they measure, so that no two pairs make one text. */
const signature = (key: Buffer, sessionId: string, chance: string) =>
  createHmac('sha256', key).update(`${sessionId.length}!${sessionId}!${chance.length}!${chance}`).digest();
