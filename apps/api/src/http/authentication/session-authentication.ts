import type { IncomingMessage } from 'node:http';
import type { Database } from '@charter/database';
import { isSessionOver, sessionEnd } from '@charter/identity';
import type { Settings } from '@charter/settings';
import { currentStamp, stampedCache } from '../../process/stamped-cache';
import {
  bearerOf,
  type Caller,
  type Authenticator,
  isUseWorthNoting,
  type SignedInPerson,
  unauthenticated,
} from './caller';
import { ProblemError } from '../problems/problem';
import { sharedLookups } from './shared-lookups';
import type { Authentication } from '../../process/parts/authentication';
import type { BrowserSessions } from '../../sign-in/sessions';

/**
 * Authenticates people by the session cookie. A process caches sessions with their accounts until any process changes a
 * session or an account (`stamp`). Every process therefore notices at once when an account is disabled, a role is
 * removed or a session ends (`acceptance.md` A16, C4, H5). The key of a cached session is the whole header `Cookie`: to
 * hash the session cookie would take longer than to read the cache.
 */
export function sessionAuthenticator(
  database: Pick<Database, 'people' | 'refreshStamps'>,
  { sessionIdle, sessionMax }: Pick<Settings, 'sessionIdle' | 'sessionMax'>,
  { sessionHashOf }: Pick<BrowserSessions, 'sessionHashOf'>,
  now: () => number,
): Authenticator {
  const { sessions } = database.people;
  const signedIn = stampedCache<Caller>(currentStamp(sessions.stamp, database), {
    max: CACHED_SESSIONS_MAX,
    now,
  });
  const find = sharedLookups(sessions.find);
  const limits = { idle: sessionIdle, max: sessionMax };
  const recall = ({ headers: { cookie } }: IncomingMessage) =>
    cookie === undefined ? undefined : signedIn.get(cookie);

  const lookUp = async (request: IncomingMessage, sessionHash: string): Promise<Caller | undefined> => {
    await database.refreshStamps?.();
    const cached = recall(request);
    if (cached) return cached;
    const asOf = signedIn.stamp();
    const found = await find(sessionHash);
    if (found?.account.state !== 'active' || isSessionOver(found.session, limits, now())) return undefined;
    const isWorthNoting = isUseWorthNoting(found.session.used, now());
    if (isWorthNoting) void sessions.touch(found.session.id, now()).catch(() => undefined); // the next lookup retries
    const caller = callerFor(found);
    const { cookie = '' } = request.headers;
    const noted = isWorthNoting ? now() : Date.parse(found.session.used);
    const until = Math.min(now() + READ_AGAIN_MS, noted + READ_AGAIN_MS, sessionEnd(found.session, limits));
    if (cookie.length <= CACHED_COOKIE_CHARACTERS_MAX) signedIn.set(cookie, caller, asOf, until);
    return caller;
  };
  return {
    recall,
    identify: async (request) => {
      const sessionHash = sessionHashOf(request);
      if (sessionHash === undefined) throw unauthenticated('Sign in, or send an API key: Authorization: Bearer chk_…');
      const caller = await lookUp(request, sessionHash);
      if (!caller) throw unauthenticated('The session has ended. Sign in again.');
      return caller;
    },
  };
}

/** The signed-in person, for a route that signed-out people may also use. @throws ProblemError 503 */
export const signedInPersonBy =
  (people: Authenticator) =>
  async (request: IncomingMessage): Promise<SignedInPerson | undefined> => {
    try {
      return (await people.identify(request)).signedIn;
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return undefined;
      throw error;
    }
  };

/**
 * Whether the browser's cookie belongs to the session of a signed-in person, and this session has ended. No route
 * accepts the XSRF tokens of an ended session.
 * @throws ProblemError 503
 */
export const sessionHasEnded = async (
  { browserSessions, signedIn }: Pick<Authentication, 'browserSessions' | 'signedIn'>,
  request: IncomingMessage,
): Promise<boolean> => browserSessions.isOfSignIn(request) && (await signedIn(request)) === undefined;

/** Authenticates the caller by the API key if the request contains one, otherwise by the session. */
export const keyOrSessionAuthenticator = (keys: Authenticator, people: Authenticator): Authenticator => {
  const authenticatorFor = (request: IncomingMessage) => (bearerOf(request) === undefined ? people : keys);
  return {
    recall: (request) => authenticatorFor(request).recall(request),
    identify: (request) => authenticatorFor(request).identify(request),
  };
};

const callerFor = (signedIn: SignedInPerson): Caller => {
  const { id, role } = signedIn.account;
  const only = signedIn.session.organization ?? undefined;
  // A session that is limited to one organization does not give a platform role.
  const powers = role === null || only !== undefined ? [] : [role];
  return { actor: { kind: 'account', id, powers }, only, signedIn };
};

/**
 * This many milliseconds after the stored last use, a request reads a cached session again, so that Charter stores the
 * new last use.
 */
const READ_AGAIN_MS = 60_000;
const CACHED_SESSIONS_MAX = 10_000;
/** The maximum length of a header `Cookie` in the cache. Long headers could fill the memory of the process. */
const CACHED_COOKIE_CHARACTERS_MAX = 1_000;
