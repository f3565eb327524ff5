import { randomUUID } from 'node:crypto';

const REQUEST_ID: unique symbol = Symbol('request id');

/**
 * The id of a request, which Charter generates and never takes from the caller. The log, the answer and the events
 * contain the request's id. The id is a property of the request, because access to a `WeakMap` takes longer.
 */
export function requestIdOf(request: object): string {
  const identified = request as { [REQUEST_ID]: string | undefined };
  return (identified[REQUEST_ID] ??= randomUUID());
}
