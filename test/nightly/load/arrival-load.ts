import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Operation } from '../../crash/callers';
import { quantile } from '../timing/mann-whitney';

/**
 * A load of requests that add members to the organizations in `places` and remove these members. The requests use
 * `urls` in rotation.
 */
export type Wish = Readonly<{
  urls: readonly string[];
  key: string;
  places: readonly string[];
  seconds: number;
  /**
   * The number of requests in each second, sent without waiting for answers. Without `rate`, each of the `callers`
   * waits for an answer before its next request.
   */
  rate?: number;
  callers?: number;
  /**
   * The number of connections that are opened before the load begins, like those of a proxy. Without `standing`, the
   * load opens connections when it needs them.
   */
  standing?: number;
}>;
export type TimedRequest = Readonly<{
  method: 'POST' | 'DELETE';
  organization: string;
  user: string;
  /** The HTTP status of the answer; 0 if there was no answer. */
  status: number;
  /** The seconds in the header `Retry-After`; 0 without the header. */
  later: number;
  revision?: number;
  problem?: string;
  /** `due` is the planned moment of the request; `took` is the number of milliseconds from then until the answer. */
  due: number;
  took: number;
}>;
export type Load = Readonly<{
  requests: readonly TimedRequest[];
  /**
   * `unsent`: the number of requests for which no connection was free. `unanswered`: the number of requests without an
   * answer within ten seconds.
   */
  unsent: number;
  unanswered: number;
  /** The moment when the load began, in milliseconds of the same clock as `due`. */
  began: number;
  seconds: number;
}>;

/** Puts a load on a service, and resolves with all of its requests. */
export async function load(wish: Wish): Promise<Load> {
  const worker = new Worker(join(__dirname, 'asking.mjs'));
  try {
    const answered = once(worker, 'message') as Promise<[Omit<Load, 'seconds'>]>;
    worker.postMessage(wish);
    const [{ requests, ...rest }] = await answered;
    return { requests, ...rest, seconds: wish.seconds };
  } finally {
    await worker.terminate();
  }
}

export const isDone = ({ status }: TimedRequest): boolean => status >= 200 && status < 300;
/** Whether the service refused the request only temporarily, with a Retry-After. */
export const isPutOff = ({ status, later }: TimedRequest): boolean => (status === 429 || status === 503) && later > 0;

/** The mean number of requests per second that succeeded before the end of the load. */
export const goodput = ({ requests, began, seconds }: Load): number =>
  requests.filter((one) => isDone(one) && one.due + one.took <= began + seconds * 1_000).length / seconds;

export const took = (requests: readonly TimedRequest[], part: number): number =>
  requests.length === 0
    ? 0
    : quantile(
        requests.map((one) => one.took),
        part,
      );

/** The number of answers with each HTTP status. */
export const counted = ({ requests }: Load): object =>
  Object.fromEntries(
    [...Map.groupBy(requests, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

/** The requests in the form that oracle R (`acceptance.md`) checks. A refused request must have caused no event. */
export const operationsOf = ({ requests }: Load): readonly Operation[] =>
  requests.map((one) => ({
    organization: one.organization,
    facts: [`${one.method === 'POST' ? 'MemberAdded' : 'MemberRemoved'} ${one.user}`],
    request: { method: one.method, path: `${one.organization}/${one.user}` },
    outcome: outcomeOf(one),
    ...(one.revision !== undefined && isDone(one) && { revision: one.revision }),
    status: one.status,
    took: one.took,
  }));

function outcomeOf(one: TimedRequest): Operation['outcome'] {
  if (isDone(one)) return 'acknowledged';
  if (one.status === 409 || (isPutOff(one) && one.problem === '/problems/busy')) return 'refused';
  return one.status === 0 || isPutOff(one) ? 'unknown' : 'odd';
}
