import { LogError } from '@charter/event-log';

/** Too many are waiting for their turn on one key. Nothing was done; the same again a little later may go through. */
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
 * Runs a job when all earlier jobs of its key are done. Answers with what the job answers; fails as the job fails. The job
 * may ask what those behind it came for, as far as they have said it: it may do something for them on the way.
 */
export type StreamQueue<Matter> = <Answer>(
  key: string,
  job: (behind: () => Matter[]) => Promise<Answer>,
  matter?: Matter,
) => Promise<Answer>;

/** One who waits. */
type Waiting<Matter> = Readonly<{ go: () => void; matter: Matter | undefined }>;

/**
 * One at a time per key, first come, first served; different keys do not wait for each other.
 * @param waitingMax how many may wait for one key; the next one is `Overloaded` at once
 * @param patience milliseconds after which one who waits gives up: its job is not begun, but somebody before it may have
 * done something for it, so that its failure is a LogError `unavailable`
 */
export function streamQueue<Matter extends object = never>(
  waitingMax: number,
  patience = Infinity,
): StreamQueue<Matter> {
  const lines = new Map<string, Waiting<Matter>[]>(); // who waits behind the one whose turn it is

  const myTurn = (key: string, matter: Matter | undefined) => {
    const line = lines.get(key);
    if (line === undefined) return void lines.set(key, []);
    if (line.length >= waitingMax) throw new Overloaded(key, line.length);
    return new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const one: Waiting<Matter> = { go, matter };
      const giveUp = () => {
        line.splice(line.indexOf(one), 1);
        reject(new LogError('unavailable', `No turn for ${key} within ${patience} ms.`));
      };
      const timer = patience === Infinity ? undefined : setTimeout(giveUp, patience);
      line.push(one);
    });
  };
  const behind = (key: string) => (lines.get(key) ?? []).flatMap(({ matter }) => matter ?? []);
  const next = (key: string) => {
    const first = lines.get(key)?.shift();
    if (first) first.go();
    else lines.delete(key);
  };

  return async (key, job, matter) => {
    await myTurn(key, matter);
    try {
      return await job(() => behind(key));
    } finally {
      next(key);
    }
  };
}
