import { LogError } from '@charter/event-log';

/** Too many jobs wait for one key. Nothing was done; the same call a little later may succeed. */
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
 * Runs a job after all earlier jobs of its key. Resolves and rejects as the job does. The job may ask for the items of
 * the jobs behind it and do their work as well.
 */
export type StreamQueue<Item> = <Answer>(
  key: string,
  job: (behind: () => Item[]) => Promise<Answer>,
  item?: Item,
) => Promise<Answer>;

/** A job in the queue. */
type Waiting<Item> = Readonly<{ start: () => void; item: Item | undefined }>;

/**
 * Runs one job at a time for each key, in the order of calls; different keys do not wait for each other.
 * @param waitingMax how many jobs may wait for one key; the next job fails with `Overloaded` at once
 * @param waitMs milliseconds after which a waiting job fails with a LogError `unavailable`: it does not start, but a
 * job before it may have done its work
 */
export function streamQueue<Item extends object = never>(waitingMax: number, waitMs = Infinity): StreamQueue<Item> {
  const queues = new Map<string, Waiting<Item>[]>(); // the jobs behind the running one

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
