import { randomUUID } from 'node:crypto';

/**
 * The id of a request, which Charter generates and never takes from the caller. The log, the answer and the events
 * contain the request's id.
 */
export function requestIdOf(request: object): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}
const ids = new WeakMap<object, string>();
