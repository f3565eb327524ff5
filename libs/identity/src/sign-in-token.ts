import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The number of hours for which the Google button of an open sign-in page works: a little more than a working day. */
export const SIGN_IN_TOKEN_HOURS = 12;
const LIFE_MS = SIGN_IN_TOKEN_HOURS * 3_600_000;

/**
 * The maximum length of a redirect in a token. Longer redirects become `/`, because the token is a part of an address,
 * and browsers limit the length of addresses.
 */
const REDIRECT_MAX = 2_000;

/**
 * The content of a valid token. The process stores `id` when the token is used, so that the token works only once. The
 * id does not reveal the token.
 */
export type SignInToken = Readonly<{ redirect: string; expires: number; id: string }>;

/**
 * The token in `/auth/go/{token}` (`decisions.md`, Signing in, 5). The token contains the redirect, which the caller
 * has already checked. The token works only in the browser with the session `session`, but does not contain this
 * session.
 */
export function signInToken(key: KeyObject, session: string, redirect: string, now: number): string {
  const target = redirect.length > REDIRECT_MAX ? '/' : redirect;
  const payload = Buffer.from(JSON.stringify([now + LIFE_MS, target])).toString('base64url');
  return `${payload}.${signature(key, session, payload).toString('base64url')}`;
}

/**
 * Returns the content of a token. Returns undefined if Charter did not make the token, or if the token was changed,
 * belongs to another browser, or has expired.
 */
export function readSignInToken(key: KeyObject, session: string, token: string, now: number): SignInToken | undefined {
  const [, payload, signed] = /^([\w-]{1,12000})\.([\w-]{43})$/.exec(token) ?? [];
  if (payload === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(signature(key, session, payload), Buffer.from(signed, 'base64url'))) return undefined;
  const [expires, redirect] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [number, string];
  if (expires <= now) return undefined;
  return { redirect, expires, id: createHash('sha256').update(`${payload}.`).digest('hex') };
}

/** The length of each part precedes the part, so that different parts never give the same text. */
const signature = (key: KeyObject, session: string, payload: string): Buffer =>
  createHmac('sha256', key).update(`sign-in-token!${session.length}!${session}!${payload.length}!${payload}`).digest();
