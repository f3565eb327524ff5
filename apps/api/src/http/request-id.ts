import { randomUUID } from 'node:crypto';

/** Our own id, never the caller's text: the log, the answer and the events carry it. */
export function requestIdOf(request: object): string {
  const id = ids.get(request) ?? randomUUID();
  ids.set(request, id);
  return id;
}
const ids = new WeakMap<object, string>();
