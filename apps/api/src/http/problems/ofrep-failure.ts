import type { IncomingMessage } from 'node:http';
import type { ProblemDocument } from '@charter/problems';
import { z } from 'zod';
import { requestIdOf } from '../request-id';
import { type ProblemAnswer, writeProblem } from './write-problem';

const ErrorCode = z.enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL']);
type ErrorCode = z.infer<typeof ErrorCode>;

/**
 * A failed evaluation, as OFREP defines it, with the type and the title of the problem. It contains no id of the
 * request, so that two equal failures have equal bytes (`flags.md`, Failures).
 */
export const OfrepFailure = z
  .strictObject({
    key: z.string().exactOptional().meta({ description: 'The requested flag, if the request names a flag' }),
    errorCode: ErrorCode,
    errorDetails: z.string(),
    type: z.string(),
    title: z.string(),
  })
  .meta({
    id: 'FlagFailure',
    examples: [
      {
        errorCode: 'TARGETING_KEY_MISSING',
        errorDetails: 'context.targetingKey: is missing',
        ...{ type: '/problems/malformed', title: 'The request is malformed' },
      },
    ],
  });

/** Whether the URL belongs to the OpenFeature Remote Evaluation Protocol, whose failures have their own form. */
export const isOfrep = (url: string): boolean => /^\/ofrep\//i.test(url);

/** The answer to a failed request: in OFREP's form on its routes, and otherwise as a problem document. */
export function writeFailure(
  request: Pick<IncomingMessage, 'url' | 'headers'>,
  problem: ProblemDocument,
  headers: Readonly<Record<string, string>> = {},
): ProblemAnswer {
  const { url = '' } = request;
  if (!isOfrep(url)) return writeProblem(problem, requestIdOf(request), headers);
  const { status } = problem;
  // OFREP defines no body for 401 and 403
  if (status === 401 || status === 403) return { status, headers, body: '' };
  const { type, title, detail } = problem;
  const key = flagKeyIn(url);
  const body = { ...(key !== undefined && { key }), errorCode: codeOf(problem), errorDetails: detail, type, title };
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

/** The flag that the path names; undefined if the request is about all flags, or cannot be decoded. */
function flagKeyIn(url: string): string | undefined {
  const key = /^\/ofrep\/v1\/evaluate\/flags\/([^/?]+)\/?(?:\?|$)/i.exec(url)?.[1];
  try {
    return key === undefined ? undefined : decodeURIComponent(key);
  } catch {
    return undefined;
  }
}

/** A malformed request gets a code that depends on the field in which validation has found the first error. */
function codeOf({ errorCode, type, errors }: ProblemDocument): ErrorCode {
  const given = ErrorCode.safeParse(errorCode);
  if (given.success) return given.data;
  if (type === '/problems/not-json') return 'PARSE_ERROR';
  if (type !== '/problems/malformed') return 'GENERAL';
  const [first] = (errors ?? []) as readonly { path: string; message: string }[];
  if (!first?.path.startsWith('context')) return 'PARSE_ERROR';
  const isMissing = first.message === 'is missing' && /^context(\.targetingKey)?$/.test(first.path);
  return isMissing ? 'TARGETING_KEY_MISSING' : 'INVALID_CONTEXT';
}
