import type { IncomingMessage } from 'node:http';
import { addDeviceProof, provenDevice } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import type { Response } from 'express';
import { cookieOf, deviceCookieName, setCookie } from '../http/input/cookies';

type Proving = Pick<Charter, 'settings' | 'keyFor'>;

/**
 * Marks the browser as a browser of the account (`decisions.md`, Signing in, 16). Failed sign-ins in other browsers do
 * not lock a marked browser out. Call this function after a sign-in with a password or Google, or after the use of a
 * mailed link. A sign-in through an organization's provider must not mark browsers, because an owner could then mark
 * any number of browsers for a member. Each marked browser has a separate limit of attempts.
 */
export function markDevice(
  { settings, keyFor }: Proving,
  request: IncomingMessage,
  response: Response,
  account: string,
): void {
  const name = deviceCookieName(settings);
  const cookie = addDeviceProof(keyFor('device'), cookieOf(request, name) ?? '', account, secureRandom);
  setCookie(response, settings, name, cookie, { maxAgeMs: YEAR_MS });
}

/** The id of the browser, if `markDevice` has marked it for the account. */
export const knownDevice = (
  { settings, keyFor }: Proving,
  request: IncomingMessage,
  account: string,
): string | undefined => provenDevice(keyFor('device'), cookieOf(request, deviceCookieName(settings)) ?? '', account);

/**
 * The lifetime of the cookie from the last sign-in. The cookie alone gives no access, so it may last longer than a
 * session.
 */
const YEAR_MS = 365 * 24 * 3_600_000;
