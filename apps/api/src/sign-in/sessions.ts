import type { IncomingMessage } from 'node:http';
import { randomBytes } from 'node:crypto';
import { type Account, isXsrfToken, newSession, type Session, sessionHash, xsrfToken } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import type { Response } from 'express';
import { cookieOf, setCookie, sessionCookieName, XSRF_COOKIE } from '../http/input/cookies';
import { ownAccountContext } from '../account/own-account';

/**
 * Browsers, whether somebody is signed in or not. Each has one cookie of chance: the store knows its hash once somebody
 * has signed in with it, and before that nobody does. The XSRF token is bound to that hash.
 */
export type BrowserSessions = Readonly<{
  /** The hash of the cookie that this browser has, signed in or not; undefined: it has none, or none of ours. */
  sessionHashOf: (request: IncomingMessage) => string | undefined;
  /** Gives a browser the cookie and the token that it lacks; answers with its hash. */
  ensureSession: (request: IncomingMessage, response: Response) => string;
  /** A new token for this browser's session, and an anonymous session if it has none. */
  renewToken: (request: IncomingMessage, response: Response) => void;
  /**
   * Signs an account in: new cookie, new token, and what the browser had before ends (`acceptance.md` C3, D1). The cookie
   * is given once it is recorded: whatever fails before leaves nobody signed in. Whoever calls has made sure who it is.
   * Undefined: the account has changed since it was read, so nobody is signed in. `organization`: the only one that the
   * session is good for.
   */
  beginSession: (
    response: Response,
    account: Account,
    method: Session['method'],
    request: IncomingMessage,
    organization?: string | null,
  ) => Promise<Session | undefined>;
  /**
   * Goes on with this browser's session under a new cookie, as narrow as it was, after all of the account have ended
   * (`acceptance.md` C5). False: the account is of another version by now, or the store is silent. Then nobody goes on: what
   * was done stands, and its owner signs in again.
   */
  renewSession: (
    response: Response,
    account: Pick<Account, 'id' | 'version'>,
    former: Pick<Session, 'method' | 'organization'>,
    request: IncomingMessage,
  ) => Promise<boolean>;
  /** Makes this browser an anonymous one that has never been here. */
  clear: (response: Response) => void;
}>;

export function createBrowserSessions(
  { settings, keyFor, documents, trail }: Charter,
  logger: { info: (entry: object, text: string) => void },
  now: () => number,
  addressOf: (request: IncomingMessage) => string,
): BrowserSessions {
  const { sessions } = documents.people;
  const name = () => sessionCookieName(settings);

  const visitorOf = (request: IncomingMessage) => {
    const cookie = cookieOf(request, name());
    return cookie !== undefined && OURS.test(cookie) ? sessionHash(cookie) : undefined;
  };
  const giveToken = (response: Response, visitor: string, maxAgeMs?: number) =>
    setCookie(response, settings, XSRF_COOKIE, xsrfToken(keyFor('xsrf'), visitor, secureRandom), {
      scriptReads: true,
      maxAgeMs,
    });
  const welcome = (response: Response): string => {
    const cookie = randomBytes(32).toString('base64url');
    setCookie(response, settings, name(), cookie);
    giveToken(response, sessionHash(cookie));
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
  /** Until then nobody knows the cookie, so its session is nobody's. */
  const give = (response: Response, { cookie, session }: Readonly<{ cookie: string; session: Session }>) => {
    setCookie(response, settings, name(), cookie, { maxAgeMs: settings.sessionMax });
    giveToken(response, session.hash, settings.sessionMax);
  };
  /** What this browser had before is nobody's any more. */
  const endFormer = async (request: IncomingMessage) => {
    const former = visitorOf(request);
    const found = former === undefined ? undefined : await sessions.find(former);
    if (found) await sessions.end(found.session.id, found.session.account);
  };

  return {
    sessionHashOf: visitorOf,
    ensureSession: (request, response) => {
      const visitor = visitorOf(request);
      if (visitor === undefined) return welcome(response);
      const token = cookieOf(request, XSRF_COOKIE);
      if (token === undefined || !isXsrfToken(keyFor('xsrf'), visitor, token)) giveToken(response, visitor);
      return visitor;
    },
    renewToken: (request, response) => {
      const visitor = visitorOf(request);
      if (visitor === undefined) welcome(response);
      else giveToken(response, visitor);
    },
    beginSession: async (response, account, method, request, organization = null) => {
      const made = await begin(account, { method, organization }, request);
      if (!made) return undefined;
      const { session } = made;
      const { id } = account;
      const by = { ...ownAccountContext(id, request, now()), at: session.began };
      try {
        await trail.record({ account: id }, { type: 'SignedIn', data: { method, session: session.id } }, by);
        await endFormer(request);
      } catch (error) {
        await sessions.end(session.id, id).catch(() => undefined); // it ends by itself, unused
        throw error;
      }
      give(response, made);
      const actor = { kind: by.actor.kind, id };
      const entry = { request: by.correlation, actor, address: addressOf(request), method, result: 'signed-in' };
      logger.info(entry, 'somebody signed in');
      return session;
    },
    renewSession: async (response, account, former, request) => {
      const made = await begin(account, former, request).catch(() => undefined);
      if (made) give(response, made);
      return made !== undefined;
    },
    clear: (response) => void welcome(response),
  };
}

/** 32 bytes as base64url: whatever else is in the cookie's place is no cookie of ours. */
const OURS = /^[\w-]{43}$/;
