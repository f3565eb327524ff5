import type { RequestListener } from 'node:http';
import type { Settings } from '@charter/settings';
import { earlyRefusal } from './early-refusal';
import { ProblemError } from '../problems/problem';

/** The listener of a process that only projects: it answers only health and metrics, and refuses all other requests. */
export function operationsOnlyListener(
  listener: RequestListener,
  settings: Pick<Settings, 'publicUrl'>,
): RequestListener {
  const refuse = earlyRefusal(settings);
  return (request, response) => {
    if (isOperations(request.url ?? '')) listener(request, response);
    else refuse(request, response, nothing);
  };
}

/** Whether a URL is one of the routes for health and metrics. */
export const isOperations = (url: string) => OPERATIONS.test(url);
const OPERATIONS = /^\/(health\/live|health\/ready|metrics)\/?(\?|$)/i;
const nothing = new ProblemError(
  404,
  'not-found',
  'This process runs only projections, and answers only the routes for health and metrics. Send the request to another process.',
);
