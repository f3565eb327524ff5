import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Deed } from '../../crash/callers';
import { quantile } from '../timing/mann-whitney';

/** A load: requests add members to these organizations and remove them. They use the addresses in rotation. */
export type Wish = Readonly<{
  urls: readonly string[];
  key: string;
  places: readonly string[];
  seconds: number;
  /** Requests a second, whatever the answers are; without it, `callers` send one request each at a time. */
  rate?: number;
  callers?: number;
  /**
   * The number of connections, all open before the load begins, like those of a proxy; without it, as many as needed.
   */
  standing?: number;
}>;
export type TimedRequest = Readonly<{
  method: 'POST' | 'DELETE';
  organization: string;
  user: string;
  /** 0: there was no answer. */
  status: number;
  /** Seconds of `Retry-After`; 0 without the header. */
  later: number;
  revision?: number;
  problem?: string;
  /** The moment at which the request was due, and the milliseconds until its answer. */
  due: number;
  took: number;
}>;
export type Load = Readonly<{
  requests: readonly TimedRequest[];
  /** Requests without a free connection, or without an answer within ten seconds. */
  unsent: number;
  unanswered: number;
  /** On the clock of `due`. */
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
/** Postponed with a proper Retry-After. */
export const isPutOff = ({ status, later }: TimedRequest): boolean => (status === 429 || status === 503) && later > 0;

/** Successful requests a second while the load lasted. */
export const goodput = ({ requests, began, seconds }: Load): number =>
  requests.filter((one) => isDone(one) && one.due + one.took <= began + seconds * 1_000).length / seconds;

export const took = (requests: readonly TimedRequest[], part: number): number =>
  requests.length === 0
    ? 0
    : quantile(
        requests.map((one) => one.took),
        part,
      );

/** The number of answers of each status. */
export const counted = ({ requests }: Load): object =>
  Object.fromEntries(
    [...Map.groupBy(requests, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

/** The requests as oracle R expects them. A request that was refused must have no event. */
export const deedsOf = ({ requests }: Load): readonly Deed[] =>
  requests.map((one) => ({
    organization: one.organization,
    facts: [`${one.method === 'POST' ? 'MemberAdded' : 'MemberRemoved'} ${one.user}`],
    request: { method: one.method, path: `${one.organization}/${one.user}` },
    outcome: outcomeOf(one),
    ...(one.revision !== undefined && isDone(one) && { revision: one.revision }),
    status: one.status,
    took: one.took,
  }));

function outcomeOf(one: TimedRequest): Deed['outcome'] {
  if (isDone(one)) return 'acknowledged';
  if (one.status === 409 || (isPutOff(one) && one.problem === '/problems/busy')) return 'refused';
  return one.status === 0 || isPutOff(one) ? 'unknown' : 'odd';
}
