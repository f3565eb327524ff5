import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { type Account, isXsrfToken, newSession, type Session, sessionHash, xsrfToken } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import type { Response } from 'express';
import { cookieOf, setCookie, sessionCookieName, XSRF_COOKIE } from '../http/input/cookies';
import { markDevice } from './device-cookie';
import { ownAccountContext } from '../account/own-account';

/**
 * The session cookies of browsers. A browser is signed in or anonymous, and has a random session cookie in both cases.
 * The store contains the hash of the cookie only after a sign-in. The XSRF token is valid only together with the
 * session cookie.
 */
export type BrowserSessions = Readonly<{
  /** The hash of the browser's session cookie, signed in or anonymous; undefined if the browser has no valid cookie. */
  sessionHashOf: (request: IncomingMessage) => string | undefined;
  /**
   * Sets the session cookie and the XSRF token if they are missing or the session has ended. Returns the hash of the
   * session cookie.
   */
  ensureSession: (request: IncomingMessage, response: Response, hasEnded?: boolean) => string;
  /** Whether the browser's session cookie comes from a sign-in, and not from an anonymous session. */
  isOfSignIn: (request: IncomingMessage) => boolean;
  /** Sets a new XSRF token for the browser's session, and starts an anonymous session if there is none. */
  renewToken: (request: IncomingMessage, response: Response) => void;
  /**
   * Signs the browser in to an account with a new cookie and a new token, and ends the browser's former session
   * (`acceptance.md` C3, D1). The caller must have authenticated the person before. The cookie is set last, so a
   * failure signs the browser in to no account. If the process cannot record the sign-in, the browser's former session
   * has already ended. Returns undefined if the account has changed since it was read; the browser then keeps its
   * former session, if any. `organization` limits the session to one organization.
   * @throws ProblemError 503 if the process cannot read or change sessions
   */
  beginSession: (
    response: Response,
    account: Account,
    method: Session['method'],
    request: IncomingMessage,
    organization?: string | null,
  ) => Promise<Session | undefined>;
  /**
   * After a change has ended all sessions of the account, gives the browser a new session with a new cookie. The new
   * session keeps the method of the sign-in and the organization (`acceptance.md` C5). Returns false if the account has
   * changed once more, or if the store does not answer. Even without a new session, the change of the account stays,
   * and the person must sign in again.
   */
  renewSession: (
    response: Response,
    account: Pick<Account, 'id' | 'version'>,
    former: Pick<Session, 'method' | 'organization'>,
    request: IncomingMessage,
  ) => Promise<boolean>;
  /** Gives the browser a new anonymous session in place of its session. */
  clear: (response: Response) => void;
}>;

export function createBrowserSessions(
  { settings, keyFor, database, trail }: Charter,
  logger: { info: (entry: object, text: string) => void },
  now: () => number,
  addressOf: (request: IncomingMessage) => string,
): BrowserSessions {
  const { sessions } = database.people;
  const name = () => sessionCookieName(settings);

  const hashOf = (request: IncomingMessage) => {
    const cookie = cookieOf(request, name());
    return cookie !== undefined && SESSION_COOKIE_FORM.test(cookie) ? sessionHash(cookie) : undefined;
  };
  const setXsrfToken = (response: Response, hash: string, maxAgeMs?: number) =>
    setCookie(response, settings, XSRF_COOKIE, xsrfToken(keyFor('xsrf'), hash, secureRandom), {
      scriptReads: true,
      maxAgeMs,
    });
  const startAnonymous = (response: Response): string => {
    const cookie = `${ANONYMOUS}${randomBytes(32).toString('base64url')}`;
    setCookie(response, settings, name(), cookie);
    setXsrfToken(response, sessionHash(cookie));
    return sessionHash(cookie);
  };
  const begin = async (
    { id, version }: Pick<Account, 'id' | 'version'>,
    { method, organization }: Pick<Session, 'method' | 'organization'>,
    request: IncomingMessage,
  ) => {
    const made = newSession(id, method, request.headers['user-agent'] ?? '', secureRandom, now(), organization);
    return (await sessions.insert(made.session, version)) ? made : undefined;
  };
  /** Sets the session cookie. No browser has this cookie before the call, so no request can use the session earlier. */
  const setSession = (response: Response, { cookie, session }: Readonly<{ cookie: string; session: Session }>) => {
    setCookie(response, settings, name(), cookie, { maxAgeMs: settings.sessionMax });
    setXsrfToken(response, session.hash, settings.sessionMax);
  };
  /** Reads the table even for a browser without a cookie, so that the caller learns whether sessions can be read. */
  const formerOf = async (request: IncomingMessage) => (await sessions.find(hashOf(request) ?? ''))?.session;

  return {
    sessionHashOf: hashOf,
    isOfSignIn: (request) => hashOf(request) !== undefined && !cookieOf(request, name())!.startsWith(ANONYMOUS),
    ensureSession: (request, response, hasEnded = false) => {
      const hash = hashOf(request);
      if (hash === undefined || hasEnded) return startAnonymous(response);
      const token = cookieOf(request, XSRF_COOKIE);
      if (token === undefined || !isXsrfToken(keyFor('xsrf'), hash, token)) setXsrfToken(response, hash);
      return hash;
    },
    renewToken: (request, response) => {
      const hash = hashOf(request);
      if (hash === undefined) startAnonymous(response);
      else setXsrfToken(response, hash);
    },
    beginSession: async (response, account, method, request, organization = null) => {
      // Reads the former session first. While the process cannot read sessions, no session begins, and the history
      // contains no sign-in (`acceptance.md` C11).
      const former = await formerOf(request);
      const made = await begin(account, { method, organization }, request);
      if (!made) return undefined;
      const { session } = made;
      const { id } = account;
      const context = { ...ownAccountContext(id, request, now()), at: session.began };
      try {
        if (former) await sessions.end(former.id, former.account);
        // The sign-in is recorded only now, because no later step can fail. The history therefore contains no sign-in
        // that has failed.
        await trail.record({ account: id }, { type: 'SignedIn', data: { method, session: session.id } }, context);
      } catch (error) {
        // If the end of the new session fails too, the session expires unused, because no browser has its cookie.
        await sessions.end(session.id, id).catch(() => undefined);
        throw error;
      }
      if (organization === null) markDevice({ settings, keyFor }, request, response, id);
      setSession(response, made);
      const actor = { kind: context.actor.kind, id };
      const entry = { request: context.correlation, actor, address: addressOf(request), method, result: 'signed-in' };
      logger.info(entry, 'a person signed in');
      return session;
    },
    renewSession: async (response, account, former, request) => {
      const made = await begin(account, former, request).catch(() => undefined);
      if (made) setSession(response, made);
      return made !== undefined;
    },
    clear: (response) => void startAnonymous(response),
  };
}

/** The prefix of the cookie of an anonymous session. No table contains anonymous sessions. */
const ANONYMOUS = 'a.';

/**
 * The only valid form of a session cookie: 32 bytes as base64url, after the prefix `a.` if the session is anonymous.
 */
const SESSION_COOKIE_FORM = /^(a\.)?[\w-]{43}$/;
