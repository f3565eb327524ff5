import type { IncomingMessage } from 'node:http';
import type { Settings } from '@charter/settings';
import type { Response } from 'express';

type Facing = Pick<Settings, 'publicUrl'>;

/** Under TLS the browser itself vouches that this host alone has set it, for every path (`acceptance.md` C1). */
export const sessionCookieName = ({ publicUrl }: Facing): string =>
  isSecure({ publicUrl }) ? '__Host-charter' : 'charter';

/** Fixed by the specification, and read by the pages' script: so it has no `__Host-`, and is worth nothing alone. */
export const XSRF_COOKIE = 'XSRF-TOKEN';

export const isSecure = ({ publicUrl }: Facing): boolean => publicUrl.startsWith('https:');

/** The value of a cookie; undefined if there is none, or several of that name, which no browser of ours sends. */
export function cookieOf({ headers: { cookie } }: IncomingMessage, name: string): string | undefined {
  const values = (cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

export type CookieOptions = Readonly<{ scriptReads?: boolean; maxAgeMs?: number | undefined }>;

/** For this host alone, and only with requests that begin here or by a plain link to here. */
export function setCookie(
  response: Response,
  facing: Facing,
  name: string,
  value: string,
  { scriptReads = false, maxAgeMs }: CookieOptions = {},
): void {
  response.cookie(name, value, {
    path: '/',
    sameSite: 'lax',
    secure: isSecure(facing),
    httpOnly: !scriptReads,
    ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }),
  });
}
