import type { Charter } from '@charter/application';
import { matchesETag } from '../answers';
import type { Caller } from '../authentication/caller';
import { problemOf } from '../problems/problem';
import { logRefusal } from '../problems/problems.filter';
import { sendProblemAnswer, writeProblem } from '../problems/write-problem';
import { requestIdOf } from '../request-id';
import type { Observability } from '../../process/parts/observability';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import type { FastAnswer, FastCall } from './fast-route';
import { sendTogether } from './send-together';

/** The parts of the process with which the fast path sends answers. */
export type AnsweringParts = Pick<Charter, 'settings'> &
  Pick<Observability, 'logger' | 'reporting' | 'counts'> &
  Pick<OrganizationAccess, 'projection'> &
  Readonly<{
    /** The headers that all answers of a tick have: security and lag. */
    commonHeaders: () => Readonly<Record<string, string>>;
  }>;

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends an answer, or 304 if the caller's `If-None-Match` contains the answer's ETag.
 * @param matches compares the header with the ETag
 */
export function sendFast(
  parts: AnsweringParts,
  { request, response, done }: FastCall,
  answer: FastAnswer,
  matches = matchesETag,
): void {
  const { tag, body, length } = answer;
  const headers = {
    ...parts.commonHeaders(),
    'Request-Id': requestIdOf(request),
    ...(tag !== undefined && { ETag: tag }),
  };
  const isKnown = tag !== undefined && matches(request.headers['if-none-match'], tag);
  if (isKnown) sendTogether(response, 304, headers);
  else sendTogether(response, 200, { ...headers, 'Content-Type': JSON_TYPE, 'Content-Length': length }, body);
  done();
}

export function refuseFast(
  parts: AnsweringParts,
  { request, response, params: [organization] }: FastCall,
  caller: Caller | undefined,
  error: unknown,
): void {
  const { problem, headers } = problemOf(error, request);
  logRefusal(parts, request, { caller, organization }, problem, error);
  if (response.headersSent || response.destroyed) return;
  const instance = requestIdOf(request);
  const all = { ...parts.commonHeaders(), 'Request-Id': instance, ...headers };
  sendProblemAnswer(response, writeProblem(problem, instance, all));
}
