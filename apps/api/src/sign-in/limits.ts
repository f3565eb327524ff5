import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressOf, networkOf } from '../http/input/client-address';
import { fromStore, Stop } from '../http/problems/problem';
import type { Runtime } from '../process/runtime';

/** So many in a window of so many seconds (`decisions.md`, Signing in, 16). */
type Limit = Readonly<{ name: string; max: number; seconds: number }>;
export const limits = {
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
export type Attempt = Readonly<{ allowed: boolean; retryAfter: number; takeBack: () => Promise<void> }>;

/** Counts one attempt, before anything is verified; it stays counted unless it is taken back, which fails nobody. */
export async function attempt(
  { documents: { attempts }, settings, now }: Counting,
  { name, max, seconds }: Limit,
  whose: string,
): Promise<Attempt> {
  if (!settings.rateLimits) return { allowed: true, retryAfter: 0, takeBack: () => Promise.resolve() };
  const bucket = `${name}:${hash('sha256', whose)}`; // no address and no name stands in the table
  const verdict = await fromStore(attempts.count(bucket, seconds, max, now()));
  return { ...verdict, takeBack: () => attempts.takeBack(bucket).catch(() => undefined) };
}

/** Counts one attempt, and lets it on. @throws Stop 429 */
export async function admit(runtime: Counting, limit: Limit, whose: string): Promise<Pick<Attempt, 'takeBack'>> {
  const counted = await attempt(runtime, limit, whose);
  if (!counted.allowed) throw tooMany(counted.retryAfter);
  return counted;
}

/** Where an attempt came from, as it counts: an IPv6 network of 64 bits is one. */
export const whereFrom = (request: IncomingMessage, { settings }: Pick<Runtime, 'settings'>): string =>
  networkOf(addressOf(request, settings));

export const tooMany = (retryAfter: number) =>
  new Stop(
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
    attempt(runtime, limits.signInAccount, whose),
    attempt(runtime, limits.signInAddress, whereFrom(request, runtime)),
  ]);
  if (!both.every(({ allowed }) => allowed)) {
    await both[0].takeBack(); // it was not verified, so it is no failure of the account; whoever sent it has still tried
    onThrottled();
    throw tooMany(Math.max(...both.map(({ retryAfter }) => retryAfter)));
  }
  return {
    takeBack: async () => {
      await Promise.all(both.map(({ takeBack }) => takeBack()));
    },
  };
}
