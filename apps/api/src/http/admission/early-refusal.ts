import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '@charter/settings';
import { requestIdOf } from '../request-id';
import { headersOfAnswers } from '../headers';
import { problemOf, type ProblemError } from '../problems/problem';
import { writeFailure } from '../problems/ofrep-failure';
import { sendProblemAnswer } from '../problems/write-problem';

/** Refuses a request before any other middleware runs. */
export function earlyRefusal(settings: Pick<Settings, 'publicUrl'>) {
  const headers = headersOfAnswers(settings);
  return (request: IncomingMessage, response: ServerResponse, stop: ProblemError): void => {
    const instance = requestIdOf(request);
    const { problem, headers: own } = problemOf(stop);
    request.resume();
    sendProblemAnswer(response, writeFailure(request, problem, { ...headers, ...own, 'Request-Id': instance }));
  };
}
