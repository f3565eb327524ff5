import type { RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { earlyRefusal } from './early-refusal';
import { ProblemError } from '../problems/problem';

/**
 * Refuses request targets that are not a path, such as `http://…`, `*` or a target with `#` (RFC 9112, 3.2). An earlier
 * check and the router could read such a target as two different paths.
 */
export function requirePathTarget(listener: RequestListener, settings: Pick<Settings, 'publicUrl'>): RequestListener {
  const refuse = earlyRefusal(settings);
  return (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/') && !url.includes('#')) listener(request, response);
    else refuse(request, response, notAPath);
  };
}

const notAPath = new ProblemError(400, 'malformed', 'The target of a request must be a path without a fragment.', {
  errors: [],
});
