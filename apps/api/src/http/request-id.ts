import { randomUUID } from 'node:crypto';

/**
 * The id of a request, made by Charter and never taken from the caller. The log, the answer and the events carry it.
 */
export function requestIdOf(request: object): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}
const ids = new WeakMap<object, string>();
