import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, networkOf } from '../http/input/client-address';
import { ProblemError } from '../http/problems/problem';
import type { Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';

/** At most `max` attempts in a window of `seconds` (`decisions.md`, Signing in, 16). */
type Limit = Readonly<{ name: string; max: number; seconds: number }>;
export const attemptLimits = {
  signInAccount: { name: 'sign-in-account', max: 10, seconds: 15 * 60 },
  /**
   * The limit for a browser that the account has used before. Only the failures in the same browser count, and they
   * count for no other browser.
   */
  signInDevice: { name: 'sign-in-device', max: 10, seconds: 15 * 60 },
  signInAddress: { name: 'sign-in-address', max: 100, seconds: 15 * 60 },
  /**
   * The attempts to confirm a password in a session, or in all sessions from one organization's own provider. An
   * attacker who guesses passwords in other sessions cannot lock out the person who is signed in.
   */
  proofSession: { name: 'proof-session', max: 10, seconds: 15 * 60 },
  /**
   * When a `signIn…` limit of an account or an address refuses sign-ins, Charter records the refusal only once in each
   * window.
   */
  throttleRecorded: { name: 'throttle-told', max: 1, seconds: 15 * 60 },
  /** The recorded failures of sign-ins to one account through one organization's provider, or through Google. */
  failuresRecorded: { name: 'failures-recorded', max: 10, seconds: 15 * 60 },
  /**
   * The mails to one account, with a separate limit for each kind. A stranger can request reset links, and so must not
   * use up the limits of the other kinds.
   */
  forgotAccount: { name: 'forgot-account', max: 3, seconds: 15 * 60 },
  confirmationsAccount: { name: 'confirmations-account', max: 3, seconds: 15 * 60 },
  invitationsAccount: { name: 'invitations-account', max: 3, seconds: 15 * 60 },
  forgotAddress: { name: 'forgot-address', max: 20, seconds: 60 * 60 },
  /**
   * A counter that limits nothing. A request about an unknown account writes to this counter, so that the request takes
   * as long as a request about a known account.
   */
  decoy: { name: 'decoy', max: Number.MAX_SAFE_INTEGER, seconds: 60 },
  invitationsActor: { name: 'invitations-actor', max: 10, seconds: 10 * 60 },
  invitationsOrganizationHour: { name: 'invitations-hour', max: 30, seconds: 60 * 60 },
  invitationsOrganizationDay: { name: 'invitations-day', max: 100, seconds: 24 * 60 * 60 },
  checkoutsActor: { name: 'checkouts-actor', max: 10, seconds: 10 * 60 },
  checkoutsOrganization: { name: 'checkouts-organization', max: 30, seconds: 60 * 60 },
  /** The limit for one person who reads checkouts. Each read is a call to the payment provider. */
  checkoutReads: { name: 'checkout-reads', max: 300, seconds: 10 * 60 },
  resetAddress: { name: 'reset-address', max: 10, seconds: 60 },
} as const satisfies Record<string, Limit>;

type Counting = Pick<Charter, 'settings' | 'database'> & Clock;
export type CountedAttempt = Readonly<{ allowed: boolean; retryAfter: number; takeBack: () => Promise<void> }>;

/**
 * Counts an attempt; call this before you verify a password or token. `takeBack` removes the attempt from the count and
 * never throws.
 */
export async function countAttempt(
  { database: { attempts }, settings, now }: Counting,
  { name, max, seconds }: Limit,
  whose: string,
): Promise<CountedAttempt> {
  if (!settings.rateLimits) return { allowed: true, retryAfter: 0, takeBack: () => Promise.resolve() };
  const bucket = bucketOf(name, whose);
  const { ends, ...verdict } = await attempts.count(bucket, seconds, max, now());
  return { ...verdict, takeBack: () => attempts.takeBack(bucket, ends).catch(() => undefined) };
}

/** The owner (`whose`) is hashed, because the table must contain neither addresses nor names of persons. */
const bucketOf = (name: string, whose: string) => `${name}:${hash('sha256', whose)}`;

/** The owner (`whose`) of the counter for a username or an e-mail address that belongs to no account. */
export const unknownCounterOf = (name: string) => `unknown ${name}`;

/** The owner (`whose`) of an account's counter `signInAccount`. */
export const signInCounterOf = (account: string) => `account ${account}`;

/** The owner (`whose`) of a browser's counter `signInDevice`. */
const deviceCounterOf = (whose: string, device: string) => `${whose} device ${device}`;

/**
 * Clears the failed sign-ins of an account, and those of a browser of the account. Never throws: if the store fails,
 * the counts end with their time windows.
 */
export async function clearFailedSignIns(
  { database: { attempts } }: Pick<Charter, 'database'>,
  account: string,
  device: string | undefined,
): Promise<void> {
  const { signInAccount, signInDevice } = attemptLimits;
  const whose = signInCounterOf(account);
  const buckets = [bucketOf(signInAccount.name, whose)];
  if (device !== undefined) buckets.push(bucketOf(signInDevice.name, deviceCounterOf(whose, device)));
  await Promise.allSettled(buckets.map((bucket) => attempts.clear(bucket)));
}

/** Counts an attempt. @throws ProblemError 429 if the limit is reached */
export async function requireAttempt(
  runtime: Counting,
  limit: Limit,
  whose: string,
): Promise<Pick<CountedAttempt, 'takeBack'>> {
  const counted = await countAttempt(runtime, limit, whose);
  if (!counted.allowed) throw tooManyAttempts(counted.retryAfter);
  return counted;
}

/**
 * Counts an attempt for several counters. If one of the counters has reached its limit or fails, the attempt counts for
 * none of the counters.
 * @throws ProblemError 429 if one of the limits is reached
 */
export async function requireAttemptInAll(
  runtime: Counting,
  counters: readonly (readonly [limit: Limit, whose: string])[],
  detail?: string,
): Promise<Pick<CountedAttempt, 'takeBack'>> {
  const counts = counters.map(([limit, whose]) => countAttempt(runtime, limit, whose));
  const counted = (await Promise.allSettled(counts)).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const takeBack = async () => {
    await Promise.all(counted.map((one) => one.takeBack()));
  };
  if (counted.length < counts.length) {
    await takeBack();
    await Promise.all(counts); // throws the error of the failed counter
  }
  if (counted.every(({ allowed }) => allowed)) return { takeBack };
  await takeBack();
  throw tooManyAttempts(Math.max(...counted.map(({ retryAfter }) => retryAfter)), detail);
}

/** The client's network, for which attempts are counted. An IPv6 network of 64 bits counts as one client. */
export const clientNetworkOf = (request: IncomingMessage, { settings }: Pick<Charter, 'settings'>): string =>
  networkOf(clientAddressOf(request, settings));

export const tooManyAttempts = (
  retryAfter: number,
  detail = 'Too many attempts. Wait a while and try again.',
): ProblemError =>
  new ProblemError(429, 'too-many-attempts', detail, {}, { 'Retry-After': String(Math.max(1, retryAfter)) });

/**
 * Counts an attempt to sign in by password, for the client's address and for the account, before the password is
 * verified. Charter counts attempts with unknown usernames like attempts for accounts, so that throttling does not
 * reveal which accounts exist. After a client address has reached its limit, its attempts no longer count for
 * usernames. An attacker at a throttled address therefore cannot cause further writes with many usernames. In a browser
 * that the account has used before, only the attempts of that browser count. A successful sign-in is removed from the
 * count.
 * @param onThrottled gets the owner of the counter that refused the attempt
 * @throws ProblemError 429
 */
export async function countSignIn(
  runtime: Counting,
  request: IncomingMessage,
  whose: string,
  device: string | undefined,
  onThrottled: (whose: string) => Promise<void> = () => Promise.resolve(),
): Promise<{ takeBack: () => Promise<void> }> {
  const refuseBy = async (owner: string, { retryAfter }: CountedAttempt) => {
    await onThrottled(owner);
    throw tooManyAttempts(retryAfter);
  };
  const address = clientNetworkOf(request, runtime);
  const byAddress =
    device === undefined ? await countAttempt(runtime, attemptLimits.signInAddress, address) : undefined;
  if (byAddress?.allowed === false) await refuseBy(`address ${address}`, byAddress);

  const byName =
    device === undefined
      ? await countAttempt(runtime, attemptLimits.signInAccount, whose)
      : await countAttempt(runtime, attemptLimits.signInDevice, deviceCounterOf(whose, device));
  if (!byName.allowed) {
    // The password was not verified, so the attempt does not count as a failure for the account or the browser. The
    // attempt still counts for the client's address.
    await byName.takeBack();
    await refuseBy(whose, byName);
  }
  return {
    takeBack: async () => {
      await Promise.all([byName.takeBack(), byAddress?.takeBack()]);
    },
  };
}
