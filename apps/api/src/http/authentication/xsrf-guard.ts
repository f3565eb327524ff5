import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isXsrfToken, originsLike } from '@charter/identity';
import type { Charter } from '@charter/application';
import type { RequestHandler } from 'express';
import type { Runtime } from '../../process/runtime';
import { bearerOf } from './caller';
import { cookieOf, sessionCookieName, XSRF_COOKIE } from '../input/cookies';
import { isWebhook } from '../input/body';
import { ProblemError } from '../problems/problem';

type Judging = Pick<Charter, 'settings' | 'keyFor'> & Pick<Runtime, 'browserSessions'>;

/**
 * Stops what another site makes a browser ask for (`acceptance.md` D), before the body is read. Whatever may change
 * something needs the token of this browser's session, also of the anonymous one before signing in, and must come from our
 * own pages. Exempt are
 * - requests to the interface whose credential is an API key: a key counts before a cookie, which is then ignored (C15);
 * - the webhook, whose messages are signed as a whole by whoever sends them (D9);
 * - requests to other addresses than the sign-in's that bring neither a cookie nor a token: they prove nobody, and every
 *   route behind denies by default.
 */
export function xsrfGuard(runtime: Judging): RequestHandler {
  return (request, response, next) => {
    if (mayChange(request) && !isExempt(request, runtime)) {
      if (!isFromHere(request, runtime.settings.publicUrl))
        throw new ProblemError(403, 'xsrf', 'The request comes from another site.'); // and leaves that browser's cookies alone
      const why = forgeryIn(request, runtime);
      if (why !== undefined) {
        runtime.browserSessions.renewToken(request, response);
        throw new ProblemError(403, 'xsrf', why);
      }
    }
    next();
  };
}

const mayChange = ({ method = '' }: IncomingMessage) => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

function isExempt(request: IncomingMessage, runtime: Judging): boolean {
  const path = request.url ?? '';
  if (SIGN_IN.test(path)) return false;
  if (isWebhook(path)) return true;
  if (INTERFACE.test(path) && bearerOf(request) !== undefined) return true;
  const { headers } = request;
  return cookieOf(request, sessionCookieName(runtime.settings)) === undefined && headers[XSRF_HEADER] === undefined;
}

/** Addresses that change something for whoever asks. A path is not case-sensitive here, and its last slash is nothing. */
const SIGN_IN = /^\/(login|forgot|reset|logout|email\/confirm)\/?(\?|$)/i;
/** Addresses that take API keys. */
const INTERFACE = /^\/(api|ofrep)\//i;
const XSRF_HEADER = 'x-xsrf-token';

/** Why a request may be a forgery; undefined: it is none. */
function forgeryIn(request: IncomingMessage, runtime: Judging): string | undefined {
  const visitor = runtime.browserSessions.sessionHashOf(request);
  const token = request.headers[XSRF_HEADER];
  const cookie = cookieOf(request, XSRF_COOKIE);
  if (visitor === undefined || typeof token !== 'string' || cookie === undefined || !isSame(token, cookie))
    return 'Send the cookie XSRF-TOKEN once more as the header X-XSRF-TOKEN.';
  return isXsrfToken(runtime.keyFor('xsrf'), visitor, token)
    ? undefined
    : 'The XSRF token belongs to another session. Load the page again.';
}

/**
 * What browsers say about where a request began: `Sec-Fetch-Site` first, and an `Origin` must be ours wherever there is
 * one (on loopback under any of its names). A request with neither comes from no browser of these days; the token alone then decides (`acceptance.md` D5).
 */
function isFromHere({ headers }: IncomingMessage, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && site !== 'same-site') return false;
  if (site === 'same-site' && origin === undefined) return false;
  return origin === undefined || originsLike(publicUrl).includes(origin);
}

const isSame = (one: string, other: string) => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};
