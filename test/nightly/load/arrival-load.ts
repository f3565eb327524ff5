import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Deed } from '../../crash/callers';
import { quantile } from '../timing/mann-whitney';

/** Members that are added and removed in these places for so many seconds, in turn over these addresses. */
export type Wish = Readonly<{
  urls: readonly string[];
  key: string;
  places: readonly string[];
  seconds: number;
  /** So many requests a second, whatever the answers are; else so many callers, each one request at a time. */
  rate?: number;
  callers?: number;
  /** So many connections stand before the load begins, as those of a proxy do, and there are never more; else as needed. */
  standing?: number;
}>;
export type Asked = Readonly<{
  method: 'POST' | 'DELETE';
  organization: string;
  user: string;
  /** 0: there was no answer. */
  status: number;
  /** Seconds, as `Retry-After` says; 0: it does not. */
  later: number;
  revision?: number;
  problem?: string;
  /** When it was due, and for how many milliseconds from then on whoever asked waited. */
  due: number;
  took: number;
}>;
export type Load = Readonly<{
  asked: readonly Asked[];
  /** There were no more connections for them, or no answer within ten seconds. */
  unsent: number;
  unanswered: number;
  /** On the clock of `due`. */
  began: number;
  seconds: number;
}>;

/** Puts a load on a service, and answers with all that was asked. */
export async function load(wish: Wish): Promise<Load> {
  const worker = new Worker(join(__dirname, 'asking.mjs'));
  try {
    const answered = once(worker, 'message') as Promise<[Omit<Load, 'seconds'>]>;
    worker.postMessage(wish);
    const [{ asked, ...rest }] = await answered;
    return { asked, ...rest, seconds: wish.seconds };
  } finally {
    await worker.terminate();
  }
}

export const isDone = ({ status }: Asked): boolean => status >= 200 && status < 300;
/** Told to come again later, properly. */
export const isPutOff = ({ status, later }: Asked): boolean => (status === 429 || status === 503) && later > 0;

/** How many a second were done while the load lasted. */
export const goodput = ({ asked, began, seconds }: Load): number =>
  asked.filter((one) => isDone(one) && one.due + one.took <= began + seconds * 1_000).length / seconds;

export const took = (asked: readonly Asked[], part: number): number =>
  asked.length === 0
    ? 0
    : quantile(
        asked.map((one) => one.took),
        part,
      );

/** How often each status was answered, for whoever reads it. */
export const counted = ({ asked }: Load): object =>
  Object.fromEntries([...Map.groupBy(asked, ({ status }) => status)].map(([status, { length }]) => [status, length]));

/** As oracle R takes it. Who was told that nothing was written must find nothing. */
export const deedsOf = ({ asked }: Load): readonly Deed[] =>
  asked.map((one) => ({
    organization: one.organization,
    facts: [`${one.method === 'POST' ? 'MemberAdded' : 'MemberRemoved'} ${one.user}`],
    request: { method: one.method, path: `${one.organization}/${one.user}` },
    outcome: outcomeOf(one),
    ...(one.revision !== undefined && isDone(one) && { revision: one.revision }),
    status: one.status,
    took: one.took,
  }));

function outcomeOf(one: Asked): Deed['outcome'] {
  if (isDone(one)) return 'acknowledged';
  if (one.status === 409 || (isPutOff(one) && one.problem === '/problems/busy')) return 'refused';
  return one.status === 0 || isPutOff(one) ? 'unknown' : 'odd';
}
