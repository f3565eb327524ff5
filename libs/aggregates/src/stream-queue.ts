import { LogError } from '@charter/event-log';

/**
 * Thrown when too many jobs wait for one key. The queue does not start the refused job; the same call may succeed a
 * little later.
 */
export class Overloaded extends Error {
  constructor(
    readonly key: string,
    readonly waiting: number,
  ) {
    super(`${waiting} requests are waiting for ${key} already.`);
    this.name = 'Overloaded';
  }
}

/**
 * Runs a job after all earlier jobs of its key, and settles like the job's promise. A job can have an `item`, which
 * describes its work. The running job may read the items of the waiting jobs, and do the work of the waiting jobs too.
 */
export type StreamQueue<Item> = <Answer>(
  key: string,
  job: (behind: () => Item[]) => Promise<Answer>,
  item?: Item,
) => Promise<Answer>;

/** A job in the queue. */
type Waiting<Item> = Readonly<{ start: () => void; item: Item | undefined }>;

/**
 * Runs one job at a time for each key (the name of a stream), in the order of the calls. Jobs of different keys do not
 * wait for each other. The queue does not use `concurrencyLimit`, because the running job reads the items of the
 * waiting jobs.
 * @param waitingMax the maximum number of jobs that wait for one key; a further job fails with `Overloaded` at once
 * @param waitMs after this many milliseconds, a waiting job fails with a LogError `unavailable`, and the queue never
 * starts the job. An earlier job may nevertheless have done the work of the failed job.
 */
export function streamQueue<Item extends object = never>(waitingMax: number, waitMs = Infinity): StreamQueue<Item> {
  const queues = new Map<string, Waiting<Item>[]>(); // the jobs that wait behind the running job

  const wait = (key: string, item: Item | undefined) => {
    const queue = queues.get(key);
    if (queue === undefined) return void queues.set(key, []);
    if (queue.length >= waitingMax) throw new Overloaded(key, queue.length);
    return new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const one: Waiting<Item> = { start, item };
      const giveUp = () => {
        queue.splice(queue.indexOf(one), 1);
        reject(new LogError('unavailable', `${key} was busy for ${waitMs} ms; the job did not start.`));
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(giveUp, waitMs);
      queue.push(one);
    });
  };
  const behind = (key: string) => (queues.get(key) ?? []).flatMap(({ item }) => item ?? []);
  const next = (key: string) => {
    const first = queues.get(key)?.shift();
    if (first) first.start();
    else queues.delete(key);
  };

  return async (key, job, item) => {
    await wait(key, item);
    try {
      return await job(() => behind(key));
    } finally {
      next(key);
    }
  };
}
