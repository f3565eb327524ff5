import { HttpException } from '@nestjs/common';
import { DocumentsUnavailable } from '@charter/database';
import { CatalogueRefused } from '@charter/catalogue';
import { NotAsSeen, Overloaded, Refused, Unreadable, UnknownRevision } from '@charter/aggregates';
import { Conflict, isLogError } from '@charter/event-log';
import { Unbuilt } from '@charter/projections';
import type { Reason } from '@charter/organization';
import { Busy } from '@charter/application';
import { calledBy, type Problem, statusOf } from '@charter/problems';

/** Thrown at the edge for what the domain does not know. `headers` go with the answer. */
export class Stop extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    detail: string,
    readonly facts: object = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = 'Stop';
  }

  /** What the log says about it besides, and the answer does not: ids, and words from a closed list. */
  about: Readonly<Record<string, unknown>> | undefined;
  noting(about: Readonly<Record<string, unknown>>): this {
    this.about = about;
    return this;
  }
}

export type FieldError = Readonly<{ path: string; message: string }>;

/** Malformed input: every field that is wrong, by its path. */
export const malformed = (errors: readonly FieldError[]) =>
  new Stop(400, 'malformed', errors.length > 0 ? sentence(errors) : 'The request is malformed.', { errors });

/** What a failure is called outside, and which headers go with it. Bugs say nothing about themselves. */
export function problemOf(error: unknown): { problem: Problem; headers: Readonly<Record<string, string>> } {
  const stop = stopOf(error);
  return {
    problem: { ...calledBy(stop.reason), status: stop.status, detail: stop.message, ...stop.facts },
    headers: stop.headers,
  };
}

function stopOf(error: unknown): Stop {
  if (error instanceof Stop) return error;
  if (error instanceof Refused) return refusal(error as Refused<Reason>);
  if (error instanceof NotAsSeen) return stale(error);
  if (error instanceof UnknownRevision)
    return new Stop(400, 'unknown-revision', `The organization ends at revision ${error.last}.`, { last: error.last });
  if (error instanceof Unreadable)
    return new Stop(500, 'unreadable-history', 'An event of this organization cannot be read. Nothing was written.', {
      revision: error.revision,
    });
  if (error instanceof Unbuilt) return later('not-yet', 'The read model is still being built.', 5);
  if (error instanceof Overloaded || error instanceof Conflict)
    return later('busy', 'Too much is going on with this organization. Nothing was written.');
  if (isLogError(error, 'too-large')) return new Stop(413, 'too-large', 'This is too much for one append.');
  if (isLogError(error, 'unavailable'))
    return later(
      'unavailable',
      'No answer from the event log. It may have happened: the same Idempotency-Key again is safe.',
    );
  if (isLogError(error, 'closed')) return later('unavailable', 'The service is stopping.');
  if (isLogError(error, 'invalid'))
    return new Stop(400, 'malformed', 'The request holds text that cannot be stored.', { errors: [] });
  if (error instanceof DocumentsUnavailable)
    return later('unavailable', 'The tables do not answer. The same Idempotency-Key again is safe.');
  if (error instanceof Busy) return later('busy', error.message, 2);
  if (error instanceof HttpException) return ofNest(error);
  if (error instanceof CatalogueRefused || !isHttpError(error)) return bug;
  return ofExpress(error.status);
}

const bug = new Stop(500, 'internal', 'Something went wrong here. The request id says where to look.');

export const later = (reason: string, detail: string, seconds = 1) =>
  new Stop(503, reason, detail, {}, { 'Retry-After': String(seconds) });

/** What a store that does not answer means to whoever waits for it: come back, and nobody was let in meanwhile. */
export const fromStore = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
  asked.catch((error: unknown) => {
    throw later('unavailable', 'The service cannot look this up at the moment.').noting({ why: String(error) });
  });

function refusal({ refusal: { refused, detail, facts }, index }: Refused<Reason>): Stop {
  return new Stop(statusOf(refused), refused, detail, { ...facts, ...(index !== undefined && { index }) });
}

/** Whoever may not know the organization learns no more from `If-Match` than without it. */
function stale({ actual, refusal: hidden }: NotAsSeen): Stop {
  if (hidden?.refused === 'no-such-organization' || hidden?.refused === 'not-allowed')
    return refusal(new Refused(hidden as Refused<Reason>['refusal']));
  return new Stop(412, 'stale', `The organization is at revision ${actual} now.`, { revision: actual });
}

function ofNest(error: HttpException): Stop {
  const status = error.getStatus();
  return status === 404 ? new Stop(404, 'not-found', 'There is nothing at this address.') : ofExpress(status);
}

function ofExpress(status: number): Stop {
  if (status === 413) return new Stop(413, 'too-large', 'The body is larger than 100 KiB.');
  if (status === 415) return new Stop(415, 'not-json', 'The body must be application/json in UTF-8.');
  if (status >= 400 && status < 500) return new Stop(400, 'malformed', 'The request cannot be read.', { errors: [] });
  return bug;
}

const isHttpError = (error: unknown): error is { status: number } =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';

const sentence = (errors: readonly FieldError[]) =>
  errors
    .slice(0, 3)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ');
