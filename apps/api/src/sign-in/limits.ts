import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientAddressOf, networkOf } from '../http/input/client-address';
import { orUnavailable, ProblemError } from '../http/problems/problem';
import type { Runtime } from '../process/runtime';

/** So many in a window of so many seconds (`decisions.md`, Signing in, 16). */
type Limit = Readonly<{ name: string; max: number; seconds: number }>;
export const attemptLimits = {
  signInAccount: { name: 'sign-in-account', max: 10, seconds: 15 * 60 },
  signInAddress: { name: 'sign-in-address', max: 100, seconds: 15 * 60 },
  /** A password that is asked again. For each session, so that strangers who guess at the account stop nobody who is in. */
  proofSession: { name: 'proof-session', max: 10, seconds: 15 * 60 },
  /** One entry in an account's own history for each window of throttling, whatever a stranger does. */
  throttleTold: { name: 'throttle-told', max: 1, seconds: 15 * 60 },
  mailsAccount: { name: 'mails-account', max: 3, seconds: 15 * 60 },
  forgotAddress: { name: 'forgot-address', max: 20, seconds: 60 * 60 },
  /** Writes that count nothing, where somebody unknown must cost as much as somebody known. */
  decoy: { name: 'decoy', max: Number.MAX_SAFE_INTEGER, seconds: 60 },
  resetAddress: { name: 'reset-address', max: 10, seconds: 60 },
} as const satisfies Record<string, Limit>;

type Counting = Pick<Runtime, 'documents' | 'settings' | 'now'>;
export type CountedAttempt = Readonly<{ allowed: boolean; retryAfter: number; takeBack: () => Promise<void> }>;

/** Counts one attempt, before anything is verified; it stays counted unless it is taken back, which fails nobody. */
export async function countAttempt(
  { documents: { attempts }, settings, now }: Counting,
  { name, max, seconds }: Limit,
  whose: string,
): Promise<CountedAttempt> {
  if (!settings.rateLimits) return { allowed: true, retryAfter: 0, takeBack: () => Promise.resolve() };
  const bucket = `${name}:${hash('sha256', whose)}`; // no address and no name stands in the table
  const verdict = await orUnavailable(attempts.count(bucket, seconds, max, now()));
  return { ...verdict, takeBack: () => attempts.takeBack(bucket).catch(() => undefined) };
}

/** Counts one attempt, and lets it on. @throws Stop 429 */
export async function requireAttempt(
  runtime: Counting,
  limit: Limit,
  whose: string,
): Promise<Pick<CountedAttempt, 'takeBack'>> {
  const counted = await countAttempt(runtime, limit, whose);
  if (!counted.allowed) throw tooManyAttempts(counted.retryAfter);
  return counted;
}

/** Where an attempt came from, as it counts: an IPv6 network of 64 bits is one. */
export const clientNetworkOf = (request: IncomingMessage, { settings }: Pick<Runtime, 'settings'>): string =>
  networkOf(clientAddressOf(request, settings));

export const tooManyAttempts = (retryAfter: number) =>
  new ProblemError(
    429,
    'too-many-attempts',
    'Too many attempts. Wait a while and try again.',
    {},
    { 'Retry-After': String(Math.max(1, retryAfter)) },
  );

/**
 * Counts an attempt to sign in by password, for the account and for the address, before it is verified. Someone unknown is
 * counted like an account, so that being throttled tells nobody who exists. Only failures stay counted.
 * @throws Stop 429
 */
export async function countSignIn(
  runtime: Counting,
  request: IncomingMessage,
  whose: string,
  onThrottled: () => void = () => undefined,
): Promise<{ takeBack: () => Promise<void> }> {
  const both = await Promise.all([
    countAttempt(runtime, attemptLimits.signInAccount, whose),
    countAttempt(runtime, attemptLimits.signInAddress, clientNetworkOf(request, runtime)),
  ]);
  if (!both.every(({ allowed }) => allowed)) {
    await both[0].takeBack(); // it was not verified, so it is no failure of the account; whoever sent it has still tried
    onThrottled();
    throw tooManyAttempts(Math.max(...both.map(({ retryAfter }) => retryAfter)));
  }
  return {
    takeBack: async () => {
      await Promise.all(both.map(({ takeBack }) => takeBack()));
    },
  };
}
