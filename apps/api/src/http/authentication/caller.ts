import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Actor } from '@charter/decider';
import type { Database } from '@charter/database';
import { type Account, verifyKey, type KeyRecord, parseKey, type Session } from '@charter/identity';
import type { Settings } from '@charter/settings';
import { currentStamp, stampedCache } from '../../process/stamped-cache';
import { clientAddressOf, networkOf } from '../input/client-address';
import type { RecordKeyUse } from './key-use';
import { isOfrep } from '../problems/ofrep-failure';
import { ProblemError } from '../problems/problem';
import { sharedLookups } from './shared-lookups';

/** The authenticated caller of a request, and the limits of the caller's powers. */
export type Caller = Readonly<{
  actor: Actor;
  /**
   * The only organization in which the caller has powers; if absent, the caller's powers apply in every organization.
   */
  only?: string | undefined;
  /** The session and the account of a signed-in person; absent if the caller uses an API key. */
  signedIn?: SignedInPerson | undefined;
  /** Present if the caller uses a ticket instead of an API key or a session (`flags.md`, Event streams). */
  ticket?: UsedTicket | undefined;
}>;
type UsedTicket = Readonly<{
  /** The only targeting key of the ticket. */
  subject: string;
  holder: TicketHolder;
  /** Milliseconds since 1970. */
  expires: number;
}>;
/** The API key or the session for which Charter made a ticket. The ticket ends with this key or session. */
export type TicketHolder = Readonly<{ kind: 'key' | 'account'; id: string; session: string | null }>;
export type SignedInPerson = Readonly<{ session: Session; account: Account }>;

/**
 * Authenticates a caller by an API key or a session. If a request has both, the session is ignored (`acceptance.md`
 * C15).
 */
export interface Authenticator {
  /** @throws ProblemError 401 without valid credentials, 429 after too many wrong API keys from one address */
  identify(request: IncomingMessage): Promise<Caller>;
  /**
   * For the fast path: returns the caller synchronously, or undefined if the caller is not cached. If the stores offer
   * `refreshStamps`, the request must have called it.
   */
  recall(request: IncomingMessage): Caller | undefined;
}

/**
 * An API key that is bound to an organization, or a session from an organization's own provider, has powers only in
 * that organization. In other organizations the caller has no powers, and the caller's id gives no role
 * (`decisions.md`, Who may do what).
 */
export const actorIn = ({ actor, only }: Caller, organization: string): Actor =>
  only === undefined || only === organization ? actor : { ...actor, kind: strangerOf[actor.kind], powers: [] };
const strangerOf = { account: 'system', key: 'key', billing: 'billing', system: 'system' } as const;

/** The maximum number of wrong API keys a minute from one address (`decisions.md`, Signing in, 16). */
const WRONG_KEYS_MAX = 60;
const WINDOW_SECONDS = 60;

type Clock = () => number;

export function apiKeyAuthenticator(
  database: Pick<Database, 'keys' | 'attempts' | 'refreshStamps'>,
  settings: Settings,
  now: Clock,
  recordUse: RecordKeyUse,
): Authenticator {
  const { keys, attempts, refreshStamps } = database;
  const verified = stampedCache<Caller>(currentStamp(keys.stamp, database), { max: CACHED_KEYS_MAX, now });
  const find = sharedLookups(keys.find);

  /**
   * For each client address, the time until which Charter answers a wrong API key with 429. Until the stored time,
   * wrong keys from the address cause no write to the database (`acceptance.md` J10).
   */
  const refusedUntil = new Map<string, number>();
  const refuseTooMany = async (request: IncomingMessage) => {
    if (!settings.rateLimits) return;
    const bucket = `wrong-key:${hash('sha256', networkOf(clientAddressOf(request, settings)))}`;
    const left = (refusedUntil.get(bucket) ?? 0) - now();
    if (left > 0 && left <= WINDOW_SECONDS * 1_000) throw tooManyWrong(Math.ceil(left / 1_000));
    const { allowed, retryAfter } = await attempts.count(bucket, WINDOW_SECONDS, WRONG_KEYS_MAX, now());
    if (allowed) return;
    if (refusedUntil.size >= REFUSED_ADDRESSES_MAX) refusedUntil.clear();
    refusedUntil.set(bucket, now() + retryAfter * 1_000);
    throw tooManyWrong(retryAfter);
  };

  return {
    recall: (request) => {
      const presented = bearerOf(request);
      return presented === undefined ? undefined : verified.get(presented);
    },
    identify: async (request) => {
      const presented = bearerOf(request);
      if (presented === undefined) throw unauthenticated('Send an API key: Authorization: Bearer chk_…');
      await refreshStamps?.();
      const cached = verified.get(presented);
      if (cached) return cached;

      const asOf = verified.stamp();
      const parsed = parseKey(presented);
      const record = parsed && (await find(parsed.prefix));
      const verdict = parsed ? verifyKey(record, parsed.secret, now()) : 'wrong';
      if (record && verdict === 'active') {
        // if this write fails, the key's next use writes again
        if (isUseWorthNoting(record.used, now())) void keys.touch(record.id, now()).catch(() => undefined);
        recordUse(record.id, request, now());
        const caller = callerOf(record);
        const expires = record.expires === undefined ? Infinity : Date.parse(record.expires);
        verified.set(presented, caller, asOf, Math.min(now() + VERIFIED_FOR_MS, expires));
        return caller;
      }
      if (verdict === 'wrong') await refuseTooMany(request);
      throw unauthenticated(
        verdict === 'wrong'
          ? 'Charter does not know this key. Check that the request contains the whole key.'
          : `The key is ${verdict}: create another key, and send that key.`,
      );
    },
  };
}

const callerOf = ({ id, scopes, organization }: KeyRecord): Caller => ({
  actor: { kind: 'key', id, powers: scopes },
  only: organization,
});

const REFUSED_ADDRESSES_MAX = 10_000;
const tooManyWrong = (seconds: number) =>
  new ProblemError(
    429,
    'too-many-attempts',
    `This address has sent too many wrong keys. Wait ${seconds} seconds, and then send a valid key.`,
    {},
    { 'Retry-After': String(seconds) },
  );

/**
 * The number of milliseconds after which a cached API key is verified once more, so that the key's last use is stored.
 */
const VERIFIED_FOR_MS = 60_000;
const CACHED_KEYS_MAX = 10_000;

/** Whether the stored time of the last use of an API key or a session is missing, or a minute old or older. */
export const isUseWorthNoting = (noted: string | undefined, now: number): boolean =>
  noted === undefined || Date.parse(noted) <= now - 60_000;

/**
 * The API key of a request. On OFREP's routes, the header `X-API-Key` may contain the key, unless the request also has
 * the header `Authorization` (`flags.md`, Permission).
 */
export function bearerOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization === undefined) return isOfrep(url) && typeof apiKey === 'string' ? apiKey.trim() : undefined;
  return /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : undefined;
}

export const unauthenticated = (detail: string) =>
  new ProblemError(401, 'unauthenticated', detail, {}, { 'WWW-Authenticate': 'Bearer realm="charter"' });
