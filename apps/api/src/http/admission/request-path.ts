import type { IncomingMessage, RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { earlyRefusal } from './early-refusal';
import { malformedRequest, ProblemError } from '../problems/problem';

/**
 * Refuses request targets that are not a path, such as `http://…`, `*` or a target with `#`. Also refuses requests with
 * two `Host` headers, and HTTP/1.1 requests with none (RFC 9112, 3.2). An earlier check and the router could read a
 * refused target as two different paths.
 */
export function requirePathTarget(listener: RequestListener, settings: Pick<Settings, 'publicUrl'>): RequestListener {
  const refuse = earlyRefusal(settings);
  return (request, response) => {
    const { url = '' } = request;
    if (!url.startsWith('/') || url.includes('#')) refuse(request, response, notAPath);
    else if (!hasValidHost(request)) refuse(request, response, notOneHost);
    else listener(request, response);
  };
}

/**
 * Refuses a request with an `Expect` header other than `100-continue`. Without Charter's refusal, Node itself would
 * refuse the request, without a problem document.
 */
export function refuseExpectation(settings: Pick<Settings, 'publicUrl'>): RequestListener {
  const refuse = earlyRefusal(settings);
  return (request, response) => refuse(request, response, unknownExpectation);
}

function hasValidHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  // `rawHeaders` contains for each header its name, followed by its value.
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at]!)) hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

const isHost = (name: string) => name.length === 'host'.length && name.toLowerCase() === 'host';

const notAPath = new ProblemError(400, 'malformed', 'The target of a request must be a path without a fragment.', {
  errors: [],
});
const notOneHost = malformedRequest([{ path: 'Host', message: 'must be sent once' }]);
const unknownExpectation = malformedRequest([{ path: 'Expect', message: 'must be 100-continue' }]);
