import type { IncomingMessage, RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { headersOfAnswers } from './headers';
import { isOfrep } from './problems/ofrep-failure';
import { requestIdOf } from './request-id';

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, X-API-Key, Content-Type, If-None-Match',
  'Access-Control-Max-Age': '600',
};

/**
 * Lets pages of the origins in `FLAGS_ORIGINS` use the routes of OFREP, without cookies (`acceptance.md` D10). Answers
 * to other origins, and on all other routes, have no CORS header.
 */
export function allowFlagOrigins(
  listener: RequestListener,
  { flagsOrigins, publicUrl }: Pick<Settings, 'flagsOrigins' | 'publicUrl'>,
): RequestListener {
  const preflight = { ...headersOfAnswers({ publicUrl }), ...PREFLIGHT };
  const isNamed = ({ url = '', headers: { origin } }: IncomingMessage): boolean =>
    origin !== undefined && isOfrep(url) && flagsOrigins.includes(origin);

  return (request, response) => {
    if (flagsOrigins.length > 0 && isOfrep(request.url ?? '')) response.setHeader('Vary', 'Origin');
    if (!isNamed(request)) {
      listener(request, response);
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin!);
    response.setHeader('Access-Control-Expose-Headers', 'ETag, Retry-After');
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      response.writeHead(204, { ...preflight, 'Request-Id': requestIdOf(request) }).end();
    else listener(request, response);
  };
}
