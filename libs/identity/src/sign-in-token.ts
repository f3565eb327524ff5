import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Hours that a sign-in page may stay open before its Google button stops working: one working day. */
export const SIGN_IN_TOKEN_HOURS = 12;
const LIFE_MS = SIGN_IN_TOKEN_HOURS * 3_600_000;

/** Longer redirects are dropped: the token itself is part of an address. */
const REDIRECT_MAX = 2_000;

/** The content of a valid token. `id` identifies it, so that it works once; the token cannot be derived from it. */
export type SignInToken = Readonly<{ redirect: string; expires: number; id: string }>;

/**
 * The token of `/auth/go/{token}` (`decisions.md`, Signing in, 5): it carries the redirect and works in one browser
 * only. `session` is the session of that browser and is not in the token; the caller has checked `redirect`.
 */
export function signInToken(key: Uint8Array, session: string, redirect: string, now: number): string {
  const target = redirect.length > REDIRECT_MAX ? '/' : redirect;
  const payload = Buffer.from(JSON.stringify([now + LIFE_MS, target])).toString('base64url');
  return `${payload}.${signature(key, session, payload).toString('base64url')}`;
}

/** Undefined: the token is not ours, was changed, belongs to another browser, or has expired. */
export function readSignInToken(key: Uint8Array, session: string, token: string, now: number): SignInToken | undefined {
  const [, payload, signed] = /^([\w-]{1,12000})\.([\w-]{43})$/.exec(token) ?? [];
  if (payload === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(signature(key, session, payload), Buffer.from(signed, 'base64url'))) return undefined;
  const [expires, redirect] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
  if (expires <= now) return undefined;
  return { redirect, expires, id: createHash('sha256').update(`${payload}.`).digest('hex') };
}

/** Each part is preceded by its length, so that two different triples never give one text. */
const signature = (key: Uint8Array, session: string, payload: string): Buffer =>
  createHmac('sha256', key).update(`sign-in-token!${session.length}!${session}!${payload.length}!${payload}`).digest();
