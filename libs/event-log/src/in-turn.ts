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

/** Runs a job when all earlier jobs of its key are done. Answers with what the job answers; fails as the job fails. */
export type InTurn = <Answer>(key: string, job: () => Promise<Answer>) => Promise<Answer>;

/**
 * One at a time per key, first come, first served; different keys do not wait for each other.
 * @param waitingMax how many may wait for one key; the next one is `Overloaded` at once
 */
export function inTurn(waitingMax: number): InTurn {
  const lines = new Map<string, (() => void)[]>(); // who waits behind the one whose turn it is

  const myTurn = (key: string) => {
    const line = lines.get(key);
    if (line === undefined) return void lines.set(key, []);
    if (line.length >= waitingMax) throw new Overloaded(key, line.length);
    return new Promise<void>((go) => line.push(go));
  };
  const next = (key: string) => {
    const go = lines.get(key)?.shift();
    if (go) go();
    else lines.delete(key);
  };

  return async (key, job) => {
    await myTurn(key);
    try {
      return await job();
    } finally {
      next(key);
    }
  };
}
