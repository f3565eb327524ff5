import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '@charter/settings';
import { requestIdOf } from '../authentication/authentication-guard';
import { headersOfAnswers } from '../headers';
import { problemOf, type ProblemError } from '../problems/problem';

/** Refuses at the very door, before anything else looks at a request. */
export function earlyRefusal(settings: Pick<Settings, 'publicUrl'>) {
  const headers = { ...headersOfAnswers(settings), 'Content-Type': 'application/problem+json; charset=utf-8' };
  return (request: IncomingMessage, response: ServerResponse, stop: ProblemError): void => {
    const instance = requestIdOf(request);
    const { problem, headers: own } = problemOf(stop);
    const body = JSON.stringify({ ...problem, instance });
    request.resume();
    response
      .writeHead(stop.status, { ...headers, ...own, 'Request-Id': instance, 'Content-Length': Buffer.byteLength(body) })
      .end(body);
  };
}
