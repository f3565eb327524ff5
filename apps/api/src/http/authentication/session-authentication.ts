import type { IncomingMessage } from 'node:http';
import type { Database } from '@charter/database';
import { isSessionOver, type SessionStore } from '@charter/identity';
import type { Settings } from '@charter/settings';
import { oncePerTick } from '../../process/once-per-tick';
import {
  bearerOf,
  type Caller,
  type Authenticator,
  isUseWorthNoting,
  type SignedInPerson,
  unauthenticated,
} from './caller';
import { orUnavailable, ProblemError } from '../problems/problem';
import { sharedLookups } from './shared-lookups';
import type { BrowserSessions } from '../../sign-in/sessions';

/**
 * Authenticates people by the session cookie. Every request reads the current account and session, so a disabled
 * account, a removed role and an ended session count at once in every process (`acceptance.md` A16, C4, H5).
 */
export function sessionAuthenticator(
  { people: { sessions } }: Pick<Database, 'people'>,
  { sessionIdle: idle, sessionMax: max }: Pick<Settings, 'sessionIdle' | 'sessionMax'>,
  { sessionHashOf }: Pick<BrowserSessions, 'sessionHashOf'>,
  now: () => number,
): Authenticator {
  const known = remembered(sessions, now);
  const find = sharedLookups(sessions.find);
  const usable = (found: SignedInPerson | undefined): found is SignedInPerson =>
    found?.account.state === 'active' && !isSessionOver(found.session, { idle, max }, now());

  const recall = (request: IncomingMessage) => {
    const visitor = sessionHashOf(request);
    const found = visitor === undefined ? undefined : known.get(visitor);
    return usable(found) ? callerFor(found) : undefined;
  };
  const lookUp = async (visitor: string): Promise<SignedInPerson | undefined> => {
    const remembers = known.get(visitor);
    if (usable(remembers)) return remembers;
    const stamp = known.stamp();
    const found = await find(visitor);
    if (!usable(found)) return undefined;
    if (isUseWorthNoting(found.session.used, now()))
      void sessions.touch(found.session.id, now()).catch(() => undefined); // the next request tries again
    known.keep(visitor, found, stamp);
    return found;
  };
  return {
    recall,
    identify: async (request) => {
      const visitor = sessionHashOf(request);
      if (visitor === undefined) throw unauthenticated('Sign in, or send an API key: Authorization: Bearer chk_…');
      const found = await orUnavailable(lookUp(visitor));
      if (!found) throw unauthenticated('The session has ended. Sign in again.');
      return callerFor(found);
    },
  };
}

/** The signed-in person, for a route that also serves signed-out visitors. @throws ProblemError 503 */
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

/** Authenticates by key if the request has a key, else by session. */
export const keyOrSessionAuthenticator = (keys: Authenticator, people: Authenticator): Authenticator => {
  const onesFor = (request: IncomingMessage) => (bearerOf(request) === undefined ? people : keys);
  return {
    recall: (request) => onesFor(request).recall(request),
    identify: (request) => onesFor(request).identify(request),
  };
};

const callerFor = (signedIn: SignedInPerson): Caller => {
  const { id, role } = signedIn.account;
  const only = signedIn.session.organization ?? undefined; // such a session brings no platform role either
  const powers = role === null || only !== undefined ? [] : [role];
  return { actor: { kind: 'account', id, powers }, only, signedIn };
};

/** Caches sessions until a session or an account changes in any process. */
function remembered({ stamp: ask }: SessionStore, now: () => number) {
  const known = new Map<string, SignedInPerson & { checkedAt: number }>();
  const stampNow = ask && oncePerTick(ask);
  let stamp = ask?.();

  const refresh = () => {
    const current = stampNow?.();
    if (current !== stamp) known.clear();
    stamp = current;
    return current;
  };
  return {
    stamp: refresh,
    get: (visitor: string): SignedInPerson | undefined => {
      if (!stampNow) return undefined;
      refresh();
      const found = known.get(visitor);
      return found && found.checkedAt > now() - REMEMBERED_MS ? found : undefined;
    },
    /** A result is not cached if something changed during its lookup. */
    keep: (visitor: string, { session, account }: SignedInPerson, asOf: string | undefined): void => {
      if (!ask || ask() !== asOf) return;
      if (known.size >= SESSIONS_REMEMBERED_MAX) known.clear();
      known.set(visitor, { session, account, checkedAt: now() });
    },
  };
}
/** Milliseconds. A cached session is read again each minute, so that its last use is stored. */
const REMEMBERED_MS = 60_000;
const SESSIONS_REMEMBERED_MAX = 10_000;
