import type { RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { earlyRefusal } from './early-refusal';
import { ProblemError } from '../problems/problem';

/**
 * Only targets that are a path: `http://…`, `*` and what holds a `#` are understood in one way by routers, and in another by
 * whoever looks at the text before them (RFC 9112, 3.2). So nothing behind this door needs to think of them.
 */
export function requirePathTarget(listener: RequestListener, settings: Pick<Settings, 'publicUrl'>): RequestListener {
  const refuse = earlyRefusal(settings);
  return (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/') && !url.includes('#')) listener(request, response);
    else refuse(request, response, notAPath);
  };
}

const notAPath = new ProblemError(400, 'malformed', 'The target of a request is a path, without a fragment.', {
  errors: [],
});
