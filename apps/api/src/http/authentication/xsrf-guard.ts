import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isXsrfToken, originsLike } from '@charter/identity';
import type { Charter } from '@charter/application';
import type { RequestHandler } from 'express';
import { bearerOf } from './caller';
import { sessionHasEnded } from './session-authentication';
import { cookieOf, sessionCookieName, XSRF_COOKIE } from '../input/cookies';
import { isWebhook } from '../input/body';
import { ProblemError } from '../problems/problem';
import type { Authentication } from '../../process/parts/authentication';

type Judging = Pick<Charter, 'settings' | 'keyFor'> & Pick<Authentication, 'browserSessions' | 'signedIn'>;

/**
 * Refuses requests that another site makes a browser send (`acceptance.md` D). The guard runs before the body is read.
 * A request that may change something must come from one of Charter's pages. The request must contain the XSRF token of
 * the browser's session; before a sign-in, the browser has an anonymous session. The exceptions are
 * - requests with an API key, because Charter then ignores the cookie (C15);
 * - the webhook, because its messages have the sender's signature (D9);
 * - requests without cookie and token, outside of the sign-in routes: only public routes accept such requests.
 */
export function xsrfGuard(runtime: Judging): RequestHandler {
  return async (request, response, next) => {
    if (mayChange(request) && !isExempt(request, runtime)) {
      if (!isFromHere(request, runtime.settings.publicUrl))
        // sets no cookie, because another site caused the request
        throw new ProblemError(403, 'xsrf', 'The request comes from another site.');
      const why = forgeryIn(request, runtime);
      if (why !== undefined) {
        runtime.browserSessions.renewToken(request, response);
        throw new ProblemError(403, 'xsrf', why);
      }
      // on all other routes, the authentication guard refuses a request of an ended session
      if (SIGN_IN.test(request.url) && (await sessionHasEnded(runtime, request))) {
        runtime.browserSessions.clear(response);
        throw new ProblemError(403, 'xsrf', 'The session of this XSRF token has ended. Load the page again.');
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

/**
 * The sign-in routes, which change data without prior authentication. The pattern accepts upper and lower case, and a
 * slash at the end.
 */
const SIGN_IN = /^\/(login|forgot|reset|invitation|logout|email\/confirm)\/?(\?|$)/i;
/** The URLs that accept API keys. */
const INTERFACE = /^\/(api|ofrep)\//i;
const XSRF_HEADER = 'x-xsrf-token';

/**
 * Returns the reason for refusing the token; undefined if the token proves that the request comes from a page of
 * Charter.
 */
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
 * Checks the headers `Sec-Fetch-Site` and `Origin`, which only the browser sets. `Origin` must contain Charter's
 * origin; on loopback, any loopback name of this machine is valid. Current browsers send `Sec-Fetch-Site`, `Origin` or
 * both. If a request has neither header, only the token decides (`acceptance.md` D5).
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
