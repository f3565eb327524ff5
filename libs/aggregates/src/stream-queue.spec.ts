import { setImmediate as aMoment } from 'node:timers/promises';
import { streamQueue, Overloaded } from './stream-queue';

/** Jobs that record their starts and ends. */
function noted() {
  const log: string[] = [];
  const job = (name: string, outcome?: Error) => async () => {
    log.push(`${name}<`);
    await aMoment();
    log.push(`>${name}`);
    if (outcome) throw outcome;
    return name;
  };
  return { log, job };
}

describe('Stream queue', () => {
  it('runs one job at a time for each key, in the order of the calls', async () => {
    const { log, job } = noted();
    const enqueue = streamQueue(10);
    const answers = await Promise.all(['a', 'b', 'c'].map((name) => enqueue('k', job(name))));
    expect(answers).toEqual(['a', 'b', 'c']);
    expect(log).toEqual(['a<', '>a', 'b<', '>b', 'c<', '>c']);
  });

  it('runs jobs of different keys at the same time', async () => {
    const { log, job } = noted();
    const enqueue = streamQueue(10);
    await Promise.all([enqueue('k', job('a')), enqueue('l', job('b'))]);
    expect(log).toEqual(['a<', 'b<', '>a', '>b']);
  });

  it("continues after a job fails, and only that job's caller gets the error", async () => {
    const { job } = noted();
    const enqueue = streamQueue(10);
    const outcomes = await Promise.allSettled([enqueue('k', job('a', new Error('no'))), enqueue('k', job('b'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await enqueue('k', job('c'))).toBe('c');
  });

  it('refuses a job if too many jobs wait for its key, but accepts jobs of other keys', async () => {
    const { log, job } = noted();
    const enqueue = streamQueue(2);
    const [first, second, third] = ['a', 'b', 'c'].map((name) => enqueue('k', job(name)));
    await expect(enqueue('k', job('d'))).rejects.toThrow(Overloaded);
    expect(await enqueue('l', job('e'))).toBe('e');
    expect(await Promise.all([first, second, third])).toEqual(['a', 'b', 'c']);
    expect(await enqueue('k', job('f'))).toBe('f');
    expect(log).not.toContain('d<');
  });

  it('fails a job that waits too long, without starting it', async () => {
    const { log, job } = noted();
    const enqueue = streamQueue(10, 50);
    let finish: () => void = () => undefined;
    const slow = enqueue('k', () => new Promise<void>((resolve) => (finish = resolve)));
    const [timedOut, behind] = [enqueue('k', job('a')), enqueue('k', job('b'))].map((one) => one.catch(String));
    expect(await timedOut).toMatch(/k was busy for 50 ms/);
    expect(await behind).toMatch(/k was busy/);
    finish();
    await slow;
    expect(await enqueue('k', job('c'))).toBe('c');
    expect(log).toEqual(['c<', '>c']);
  });
});
