import type { IncomingMessage } from 'node:http';
import type { Documents } from '@charter/database';
import { isOver, type SessionStore } from '@charter/identity';
import type { Settings } from '@charter/settings';
import { oncePerTurn } from '../../process/once-per-tick';
import { bearerOf, type Caller, type Callers, isUseWorthNoting, type SignedIn, unauthenticated } from './caller';
import { fromStore, Stop } from '../problems/problem';
import { sharing } from './shared-lookups';
import type { Visitors } from '../../sign-in/sessions';

/**
 * People, by the session cookie. What they may do is looked up with their session for every request: an account that is
 * disabled, a role that is taken away and a session that ended count at once, in every process (`acceptance.md` A16, C4, H5).
 */
export function callersBySession(
  { people: { sessions } }: Pick<Documents, 'people'>,
  { sessionIdle: idle, sessionMax: max }: Pick<Settings, 'sessionIdle' | 'sessionMax'>,
  { visitorOf }: Pick<Visitors, 'visitorOf'>,
  now: () => number,
): Callers {
  const known = remembered(sessions, now);
  const find = sharing(sessions.find);
  const usable = (found: SignedIn | undefined): found is SignedIn =>
    found?.account.state === 'active' && !isOver(found.session, { idle, max }, now());

  const recall = (request: IncomingMessage) => {
    const visitor = visitorOf(request);
    const found = visitor === undefined ? undefined : known.get(visitor);
    return usable(found) ? callerFor(found) : undefined;
  };
  const lookUp = async (visitor: string): Promise<SignedIn | undefined> => {
    const remembers = known.get(visitor);
    if (usable(remembers)) return remembers;
    const stamp = known.stamp();
    const found = await find(visitor);
    if (!usable(found)) return undefined;
    if (isUseWorthNoting(found.session.used, now()))
      void sessions.touch(found.session.id, now()).catch(() => undefined); // tried again with the next request
    known.keep(visitor, found, stamp);
    return found;
  };
  return {
    recall,
    identify: async (request) => {
      const visitor = visitorOf(request);
      if (visitor === undefined) throw unauthenticated('Sign in, or send an API key: Authorization: Bearer chk_…');
      const found = await fromStore(lookUp(visitor));
      if (!found) throw unauthenticated('The session has ended. Sign in again.');
      return callerFor(found);
    },
  };
}

/** Who is signed in, where nobody needs to be. @throws Stop 503 */
export const signedInBy =
  (people: Callers) =>
  async (request: IncomingMessage): Promise<SignedIn | undefined> => {
    try {
      return (await people.identify(request)).signedIn;
    } catch (error) {
      if (error instanceof Stop && error.status === 401) return undefined;
      throw error;
    }
  };

/** By key where there is one, else by session. */
export const callersBy = (keys: Callers, people: Callers): Callers => {
  const onesFor = (request: IncomingMessage) => (bearerOf(request) === undefined ? people : keys);
  return {
    recall: (request) => onesFor(request).recall(request),
    identify: (request) => onesFor(request).identify(request),
  };
};

const callerFor = (signedIn: SignedIn): Caller => {
  const { id, role } = signedIn.account;
  const only = signedIn.session.organization ?? undefined; // then it brings no platform role either
  const powers = role === null || only !== undefined ? [] : [role];
  return { actor: { kind: 'account', id, powers }, only, signedIn };
};

/** Sessions that were looked up, for as long as no session and no account has changed in any process. */
function remembered({ stamp: ask }: SessionStore, now: () => number) {
  const known = new Map<string, SignedIn & { asked: number }>();
  const stampNow = ask && oncePerTurn(ask);
  let stamp = ask?.();

  const refresh = () => {
    const current = stampNow?.();
    if (current !== stamp) known.clear();
    stamp = current;
    return current;
  };
  return {
    stamp: refresh,
    get: (visitor: string): SignedIn | undefined => {
      if (!stampNow) return undefined;
      refresh();
      const found = known.get(visitor);
      return found && found.asked > now() - REMEMBERED_MS ? found : undefined;
    },
    /** What was found while something changed is not kept. */
    keep: (visitor: string, { session, account }: SignedIn, asOf: string | undefined): void => {
      if (!ask || ask() !== asOf) return;
      if (known.size >= SESSIONS_REMEMBERED_MAX) known.clear();
      known.set(visitor, { session, account, asked: now() });
    },
  };
}
/** Asked again each minute even if nothing changed, so that its last use is noted. */
const REMEMBERED_MS = 60_000;
const SESSIONS_REMEMBERED_MAX = 10_000;
