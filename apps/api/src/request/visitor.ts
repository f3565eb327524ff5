import type { IncomingMessage } from 'node:http';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, isXsrfToken, newSession, type Session, sessionHash, xsrfToken } from '@charter/identity';
import type { Charter } from '@charter/wiring';
import type { Response } from 'express';
import { cookieOf, setCookie, sessionCookieName, XSRF_COOKIE } from './cookies';
import { requestIdOf } from './guard';

/**
 * Browsers, whether somebody is signed in or not. Each has one cookie of chance: the store knows its hash once somebody
 * has signed in with it, and before that nobody does. The XSRF token is bound to that hash.
 */
export type Visitors = Readonly<{
  /** The hash of the cookie that this browser has, signed in or not; undefined: it has none, or none of ours. */
  visitorOf: (request: IncomingMessage) => string | undefined;
  /** Gives a browser the cookie and the token that it lacks; answers with its hash. */
  greet: (request: IncomingMessage, response: Response) => string;
  /** A new token for this browser's session, and an anonymous session if it has none. */
  renewToken: (request: IncomingMessage, response: Response) => void;
  /**
   * Signs an account in: new cookie, new token, and what the browser had before ends (`acceptance.md` C3, D1). Recorded
   * before it answers. Whoever calls has made sure who it is. Undefined: the account has changed since it was read, so
   * nobody is signed in. `organization`: the only one that the session is good for.
   */
  beginSession: (
    response: Response,
    account: Account,
    method: Session['method'],
    request: IncomingMessage,
    organization?: string | null,
  ) => Promise<Session | undefined>;
  /** A session for this browser under a new cookie, after all others have ended (`acceptance.md` C5). */
  renewSession: (
    response: Response,
    account: string,
    method: Session['method'],
    request: IncomingMessage,
  ) => Promise<void>;
  /** Makes this browser an anonymous one that has never been here. */
  forget: (response: Response) => void;
}>;

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

export function visitorsOf(
  { settings, keyFor, documents, trail }: Charter,
  logger: { info: (entry: object, text: string) => void },
  now: () => number,
  addressOf: (request: IncomingMessage) => string,
): Visitors {
  const { sessions } = documents.people;
  const name = () => sessionCookieName(settings);

  const visitorOf = (request: IncomingMessage) => {
    const cookie = cookieOf(request, name());
    return cookie !== undefined && OURS.test(cookie) ? sessionHash(cookie) : undefined;
  };
  const giveToken = (response: Response, visitor: string, maxAgeMs?: number) =>
    setCookie(response, settings, XSRF_COOKIE, xsrfToken(keyFor('xsrf'), visitor, random), {
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
    response: Response,
    { id, version }: { id: string; version?: number },
    method: Session['method'],
    request: IncomingMessage,
    organization: string | null = null,
  ) => {
    const agent = request.headers['user-agent'] ?? '';
    const { cookie, session } = newSession(id, method, agent, random, now(), organization);
    if (!(await sessions.insert(session, version))) return undefined;
    setCookie(response, settings, name(), cookie, { maxAgeMs: settings.sessionMax });
    giveToken(response, session.hash, settings.sessionMax);
    return session;
  };
  /** What this browser had before is nobody's any more. */
  const endFormer = async (request: IncomingMessage) => {
    const former = visitorOf(request);
    const found = former === undefined ? undefined : await sessions.find(former);
    if (found) await sessions.end(found.session.id, found.session.account);
  };

  return {
    visitorOf,
    greet: (request, response) => {
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
    beginSession: async (response, account, method, request, organization) => {
      await endFormer(request);
      const session = await begin(response, account, method, request, organization);
      if (!session) return undefined;
      const actor = { kind: 'account', id: account.id } as const;
      const correlation = requestIdOf(request);
      const by = { actor: { ...actor, powers: [] }, at: session.began, correlation };
      await trail.record({ account: account.id }, { type: 'SignedIn', data: { method, session: session.id } }, by);
      const entry = { request: correlation, actor, address: addressOf(request), method, result: 'signed-in' };
      logger.info(entry, 'somebody signed in');
      return session;
    },
    renewSession: async (response, account, method, request) => {
      await begin(response, { id: account }, method, request);
    },
    forget: (response) => void welcome(response),
  };
}

/** 32 bytes as base64url: whatever else is in the cookie's place is no cookie of ours. */
const OURS = /^[\w-]{43}$/;
