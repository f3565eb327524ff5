import type { IncomingMessage } from 'node:http';
import { HttpException } from '@nestjs/common';
import { DatabaseUnavailable } from '@charter/database';
import { CatalogueRefused } from '@charter/catalogue';
import { RevisionMismatch, Overloaded, Refused, UnreadableStream, UnknownRevision } from '@charter/aggregates';
import { Conflict, isLogError } from '@charter/event-log';
import { ReadModelNotBuilt } from '@charter/projections';
import type { RefusalReason } from '@charter/organization';
import { ErasedDataRemains, HashingOverloaded } from '@charter/application';
import { type ProblemDocument, type ProblemReason, problemTypeOf, statusOfRefusal } from '@charter/problems';

/**
 * The HTTP layer throws this error for a failure outside of the domain logic. `headers` are further headers of the
 * answer.
 */
export class ProblemError extends Error {
  constructor(
    readonly status: number,
    readonly reason: ProblemReason,
    detail: string,
    readonly facts: object = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'ProblemError';
  }

  /** Facts for the log only, not for the answer: ids, and words from a fixed list. */
  about: Readonly<Record<string, unknown>> | undefined;
  noting(about: Readonly<Record<string, unknown>>): this {
    this.about = about;
    return this;
  }
}

export type FieldError = Readonly<{ path: string; message: string }>;

/** A 400 that names each wrong field by its path. `count` is the number of errors if `errors` lists only the first. */
export const malformedRequest = (errors: readonly FieldError[], count = errors.length) =>
  new ProblemError(400, 'malformed', count > 0 ? sentence(errors, count) : 'The request is malformed.', { errors });

/**
 * The problem and headers for an error. The problem for a defect of Charter contains no detail of the defect. A problem
 * says that the outcome is unknown only if the request may have changed something.
 */
export function problemOf(
  error: unknown,
  request?: RequestLine,
): { problem: ProblemDocument; headers: Readonly<Record<string, string>> } {
  const stop = stopOf(error, request);
  return {
    problem: { ...problemTypeOf(stop.reason), status: stop.status, detail: stop.message, ...stop.facts },
    headers: stop.headers,
  };
}

function stopOf(error: unknown, request?: RequestLine): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof Refused) return refusal(error as Refused<RefusalReason>);
  if (error instanceof RevisionMismatch) return stale(error);
  if (error instanceof UnknownRevision)
    return new ProblemError(400, 'unknown-revision', `The last revision of the organization is ${error.last}.`, {
      last: error.last,
    });
  if (error instanceof UnreadableStream)
    return new ProblemError(
      500,
      'unreadable-history',
      'An event of this organization cannot be read. Nothing was written.',
      {
        revision: error.revision,
      },
    );
  if (error instanceof ReadModelNotBuilt) return retryLater('not-yet', 'The read model is still being built.', 5);
  if (error instanceof Overloaded || error instanceof Conflict)
    return retryLater('busy', 'This organization has too many requests at the moment. Nothing was written.');
  if (isLogError(error, 'too-large'))
    return new ProblemError(413, 'too-large', 'The request contains too much data for one append to the event log.');
  if (isLogError(error, 'unavailable'))
    return retryLater('unavailable', `The event log does not answer. ${howToRepeat(request)}`);
  if (isLogError(error, 'closed')) return retryLater('unavailable', 'The service is stopping.');
  if (isLogError(error, 'invalid'))
    return new ProblemError(400, 'malformed', 'The request contains text that cannot be stored.', { errors: [] });
  if (error instanceof DatabaseUnavailable)
    return retryLater('unavailable', `The tables do not answer. ${howToRepeat(request)}`);
  if (error instanceof ErasedDataRemains) return retryLater('erased-data-remains', error.message, 10);
  if (error instanceof HashingOverloaded) return retryLater('busy', error.message, 2);
  if (error instanceof HttpException) return ofNest(error);
  if (error instanceof CatalogueRefused || !isHttpError(error)) return bug;
  return ofExpress(error.status);
}

/** Whether an error is a defect of Charter, so that the answer is a 500. */
export const isUnexpected = (error: unknown): boolean => stopOf(error) === bug;

type RequestLine = Pick<IncomingMessage, 'method' | 'url'>;

/**
 * Says how to repeat an unanswered request. Reads, previews, evaluations of flags and requests for flag tickets change
 * no data. Any other request may have changed data.
 */
function howToRepeat({ method, url = '' }: RequestLine = {}): string {
  if (method === 'GET' || method === 'HEAD' || READ_BY_POST.test(url)) return 'Send the request again.';
  const how = KEYED.test(url)
    ? 'send the request again with the same Idempotency-Key'
    : 'check before you send it again';
  return `The change may have happened: ${how}.`;
}
/** Like routes, these patterns accept upper and lower case, a slash at the end, and a query. */
const READ_BY_POST = /^\/ofrep\/|^[^?]*\/(?:preview|undo|names|members\/search|flag-tickets)\/?(?:\?|$)/i;
/** The routes that accept an `Idempotency-Key` (`api.md`). */
const KEYED = /^\/api\/v1\/(?:organizations|billing\/events)(?=[/?]|$)/i;

const bug = new ProblemError(
  500,
  'internal',
  'The service had an unexpected error. The log has the details under the request id.',
);

export const retryLater = (reason: ProblemReason, detail: string, seconds = 1) =>
  new ProblemError(503, reason, detail, {}, { 'Retry-After': String(seconds) });

function refusal({ refusal: { refused, detail, facts }, index }: Refused<RefusalReason>): ProblemError {
  return new ProblemError(statusOfRefusal(refused), refused, detail, {
    ...facts,
    ...(index !== undefined && { index }),
  });
}

/**
 * A problem with the status 412 and the organization's revision. A caller who may not see the organization gets the
 * command's refusal instead.
 */
function stale({ actual, refusal: hidden }: RevisionMismatch): ProblemError {
  if (hidden?.refused === 'no-such-organization' || hidden?.refused === 'not-allowed')
    return refusal(new Refused(hidden as Refused<RefusalReason>['refusal']));
  return new ProblemError(412, 'stale', `The organization is at revision ${actual} now.`, { revision: actual });
}

function ofNest(error: HttpException): ProblemError {
  const status = error.getStatus();
  return status === 404 ? new ProblemError(404, 'not-found', 'There is nothing at this address.') : ofExpress(status);
}

function ofExpress(status: number): ProblemError {
  if (status === 413) return new ProblemError(413, 'too-large', 'The body is larger than 100 KiB.');
  if (status === 415) return new ProblemError(415, 'not-json', 'The body must be application/json in UTF-8.');
  if (status >= 400 && status < 500)
    return new ProblemError(400, 'malformed', 'The request cannot be read.', { errors: [] });
  return bug;
}

const isHttpError = (error: unknown): error is { status: number } =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';

/** The first errors, and how many more there are. */
function sentence(errors: readonly FieldError[], count: number): string {
  const first = errors
    .slice(0, 3)
    .map(({ path, message }, index) => (path ? `${path}: ${message}` : `${index ? 'the' : 'The'} request ${message}`));
  const more = count - first.length;
  return [...first, ...(more > 0 ? [`and ${more} more ${more === 1 ? 'error' : 'errors'}`] : [])].join('; ');
}
