import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** How long the page may stay open before its button for Google says that it failed: as long as a working day. */
export const SIGN_IN_TOKEN_HOURS = 12;
const LIFE_MS = SIGN_IN_TOKEN_HOURS * 3_600_000;

/** A longer one is no address that anybody was sent to; the token is part of an address itself. */
const REDIRECT_MAX = 2_000;

/** What a good token says. `id` names it, so that it can be used once; nobody can make the token from it. */
export type SignInToken = Readonly<{ redirect: string; expires: number; id: string }>;

/**
 * The token of `/auth/go/{token}` (`decisions.md`, Signing in, 5): where to go afterwards, good in one browser alone.
 * `visitor` is the session of that browser, which is not in the token; `redirect` was checked before.
 */
export function signInToken(key: Uint8Array, visitor: string, redirect: string, now: number): string {
  const target = redirect.length > REDIRECT_MAX ? '/' : redirect;
  const said = Buffer.from(JSON.stringify([now + LIFE_MS, target])).toString('base64url');
  return `${said}.${signature(key, visitor, said).toString('base64url')}`;
}

/** Undefined: not ours, changed, of another browser, or too old. */
export function readSignInToken(key: Uint8Array, visitor: string, token: string, now: number): SignInToken | undefined {
  const [, said, signed] = /^([\w-]{1,12000})\.([\w-]{43})$/.exec(token) ?? [];
  if (said === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(signature(key, visitor, said), Buffer.from(signed, 'base64url'))) return undefined;
  const [expires, redirect] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [number, string];
  if (expires <= now) return undefined;
  return { redirect, expires, id: createHash('sha256').update(`${said}.`).digest('hex') };
}

/** Each part with its length, so that no two triples read alike. */
const signature = (key: Uint8Array, visitor: string, said: string): Buffer =>
  createHmac('sha256', key).update(`sign-in-token!${visitor.length}!${visitor}!${said.length}!${said}`).digest();
