import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Charter } from '@charter/application';
import { words } from '@charter/organization';
import { entitlementKeys } from '@charter/organization-view';
import { headersOfAnswers } from '../headers';
import { hasBody } from '../input/body';
import { lagHeaders } from '../lag-headers';
import { createReadAnswerer } from './answer-read';
import { createCallerReads } from './caller-reads';
import type { AnsweringParts } from './fast-answers';
import { createFlagAnswerer } from './fast-flags';
import { createMemberAnswerer } from './fast-member';
import type { FastCall, FastRoute, LogVersion } from './fast-route';
import { createOrganizationReads } from './organization-reads';
import type { Lifecycle } from '../../process/parts/lifecycle';
import { oncePerTick } from '../../process/work/once-per-tick';

/**
 * Answers the most frequent kinds of requests before they reach Nest (`docs/adr`). The fast path uses the same API
 * keys, sessions, rules, queries and problems as Nest's routes, but skips Nest's pipeline. Nest answers all other
 * requests, and unusual requests to the routes of the fast path.
 */
export function fastPath(over: FastPathParts, otherwise: RequestListener): RequestListener {
  const { counts, log, projection, settings, stopping } = over;
  const security = headersOfAnswers(settings);
  const commonHeaders = oncePerTick(() => ({ ...security, ...lagHeaders(projection) }));
  const logVersion = oncePerTick(() => {
    const version = log.version?.();
    return typeof version === 'number' ? version : undefined;
  });
  const routes = routesOf({ ...over, commonHeaders, logVersion }, otherwise);

  const isAnswered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const found = matching(routes, request);
    // Only Nest's pipeline limits the size of a body on a route that takes no body.
    if (!found || stopping() || (found.route.method === 'GET' && hasBody(request))) return false;
    const began = performance.now();
    const { route, params } = found;
    const done = () => counts.answered(route.name, response.statusCode, (performance.now() - began) / 1000);
    return route.answer({ request, response, params, done });
  };

  return (request, response) => {
    if (!isAnsweredSafely()) otherwise(request, response);

    /**
     * Catches every error, because no caller of this function catches errors. If the answer has not begun, Nest's route
     * then handles the request, meets the same error, and answers with a problem.
     */
    function isAnsweredSafely(): boolean {
      try {
        return isAnswered(request, response);
      } catch {
        return response.headersSent;
      }
    }
  };
}

type RouteParts = Parameters<typeof createReadAnswerer>[0] &
  Parameters<typeof createOrganizationReads>[0] &
  Parameters<typeof createCallerReads>[0] &
  Parameters<typeof createMemberAnswerer>[0] &
  Parameters<typeof createFlagAnswerer>[0];
type FastPathParts = Omit<RouteParts, keyof (Pick<AnsweringParts, 'commonHeaders'> & LogVersion)> &
  Pick<Charter, 'log'> &
  Lifecycle;

const ORGANIZATIONS = '/api/v1/organizations';
const FLAGS = '/ofrep/v1/evaluate/flags';

/** All routes of the fast path. */
function routesOf(parts: RouteParts, otherwise: RequestListener): readonly FastRoute[] {
  const answerRead = createReadAnswerer(parts, otherwise);
  const organization = createOrganizationReads(parts);
  const ofCaller = createCallerReads(parts);
  const answerFlags = createFlagAnswerer(parts, otherwise);
  return [
    {
      method: 'GET',
      name: `GET ${ORGANIZATIONS}/:id/entitlements/:key`,
      address: new RegExp(`^${ORGANIZATIONS}/(${words.PRINTED_ID})/entitlements/(${entitlementKeys.join('|')})$`),
      answer: (call) => answerRead(organization.entitlement, call),
    },
    {
      method: 'GET',
      name: `GET ${ORGANIZATIONS}/:id/entitlements`,
      address: new RegExp(`^${ORGANIZATIONS}/(${words.PRINTED_ID})/entitlements$`),
      answer: (call) => answerRead(organization.entitlements, call),
    },
    {
      method: 'GET',
      name: `GET ${ORGANIZATIONS}/:id`,
      address: new RegExp(`^${ORGANIZATIONS}/(${words.PRINTED_ID})$`),
      answer: (call) => answerRead(organization.document, call),
    },
    {
      method: 'GET',
      name: `GET ${ORGANIZATIONS}`,
      address: new RegExp(`^${ORGANIZATIONS}$`),
      answer: (call) => answerRead(ofCaller.list, call),
    },
    {
      method: 'GET',
      name: 'GET /api/v1/me',
      address: /^\/api\/v1\/me$/,
      answer: (call) => answerRead(ofCaller.ownAccount, call),
    },
    {
      method: 'POST',
      name: `POST ${ORGANIZATIONS}/:id/members`,
      address: new RegExp(`^${ORGANIZATIONS}/(${words.PRINTED_ID})/members$`),
      answer: createMemberAnswerer(parts),
    },
    {
      method: 'POST',
      name: `POST ${FLAGS}`,
      address: new RegExp(`^${FLAGS}$`),
      answer: (call) => answerFlags(call),
    },
    {
      method: 'POST',
      name: `POST ${FLAGS}/:key`,
      address: new RegExp(`^${FLAGS}/([\\w.]+)$`),
      answer: (call) => answerFlags(call, call.params[0]),
    },
  ];
}

function matching(routes: readonly FastRoute[], { method, url = '' }: IncomingMessage) {
  for (const route of routes) {
    const found = route.method === method ? route.address.exec(url) : null;
    if (found) return { route, params: found.slice(1) satisfies FastCall['params'] };
  }
  return undefined;
}
