import type { IncomingMessage } from 'node:http';
import type { Settings } from '@charter/settings';
import type { Response } from 'express';

type Facing = Pick<Settings, 'publicUrl'>;

/**
 * With TLS, the prefix `__Host-` guarantees that this host has set the cookie, and that the cookie is valid for every
 * path (`acceptance.md` C1).
 */
export const sessionCookieName = ({ publicUrl }: Facing): string =>
  isSecure({ publicUrl }) ? '__Host-charter' : 'charter';

/**
 * The name of the cookie that marks a browser for the accounts that have signed in with this browser
 * (`sign-in/device-cookie.ts`). A sign-out does not delete the device cookie.
 */
export const deviceCookieName = ({ publicUrl }: Facing): string =>
  isSecure({ publicUrl }) ? '__Host-charter-device' : 'charter-device';

/**
 * The specification fixes the cookie's name, so the name has no prefix `__Host-`. The script of the pages reads the
 * cookie; the cookie alone proves nothing.
 */
export const XSRF_COOKIE = 'XSRF-TOKEN';

export const isSecure = ({ publicUrl }: Facing): boolean => publicUrl.startsWith('https:');

/**
 * The value of a cookie. Undefined if the cookie is missing, or if the request contains several cookies with this name,
 * because Charter sets only one.
 */
export function cookieOf({ headers: { cookie } }: IncomingMessage, name: string): string | undefined {
  const values = (cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

export type CookieOptions = Readonly<{ scriptReads?: boolean; maxAgeMs?: number | undefined }>;

/**
 * Sets a cookie that the browser sends only to this host, and only with requests from Charter's pages or from a plain
 * link to them.
 */
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
