import type { IncomingMessage } from 'node:http';
import { addDeviceProof, provenDevice } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import type { Response } from 'express';
import { cookieOf, deviceCookieName, setCookie } from '../http/input/cookies';

type Proving = Pick<Charter, 'settings' | 'keyFor'>;

/**
 * Marks the browser as one of the account's, so that failed sign-ins elsewhere do not lock it (`decisions.md`, Signing
 * in, 16). The person has just proved the password, a Google identity, or a mailed link. A provider of an organization
 * is no proof: its owner could mark any number of browsers for a member.
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

/** From the last sign-in. The cookie opens nothing, so it may live longer than a session. */
const YEAR_MS = 365 * 24 * 3_600_000;
