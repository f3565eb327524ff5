import type { RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { earlyRefusal } from './early-refusal';
import { ProblemError } from '../problems/problem';

/**
 * Refuses request targets that are not a path. For `http://…`, `*` and `#`, a router may see another path than a check
 * of the text before it (RFC 9112, 3.2). After this refusal, no other code has to handle such targets.
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
