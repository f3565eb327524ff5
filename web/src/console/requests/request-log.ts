/**
 * A request that the console has sent. The log contains no values of its body, because a body can contain passwords.
 */
export type LoggedRequest = Readonly<{
  /** The number of the request, counted since the page was opened. */
  number: number;
  method: string;
  /** The URL of the request, with its query string. */
  address: string;
  /** The names of the fields in the body. */
  fields: readonly string[];
  /** 0 if there was no answer. */
  status: number;
  milliseconds: number;
  /** The id by which operators find the request in the log; empty without an answer. */
  request: string;
}>;

const KEPT = 50;

/** The latest requests of this browser tab, newest first. */
export function createRequestLog() {
  let requests: readonly LoggedRequest[] = [];
  let count = 0;
  const listeners = new Set<() => void>();
  return {
    all: () => requests,
    add: (one: Omit<LoggedRequest, 'number'>): void => {
      count += 1;
      requests = [{ number: count, ...one }, ...requests].slice(0, KEPT);
      for (const changed of listeners) changed();
    },
    listen: (changed: () => void) => {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

export const requestLog = createRequestLog();
