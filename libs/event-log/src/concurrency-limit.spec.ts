import { setImmediate as settled } from 'node:timers/promises';
import { concurrencyLimit } from './concurrency-limit';

const full = (waiting: number) => new Error(`${waiting} calls are waiting`);
const late = () => new Error('no slot in time');

/** A limit of two running and two waiting calls, and the list of the started calls. */
function limitOfTwo() {
  const limited = concurrencyLimit({ runningMax: 2, waitingMax: 2, full });
  const started: { name: string; end: (error?: Error) => void }[] = [];
  const call = (name: string, wait?: Parameters<typeof limited>[1]) =>
    limited(() => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      started.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
      return promise;
    }, wait);
  return { call, started, names: () => started.map(({ name }) => name).join('') };
}

describe('Concurrency limit', () => {
  it('runs calls up to its limit, and starts waiting calls in the order of their arrival', async () => {
    const { call, started, names } = limitOfTwo();
    const answers = ['a', 'b', 'c', 'd'].map((name) => call(name));
    expect(names()).toBe('ab');
    started[1]!.end();
    await settled();
    expect(names()).toBe('abc');
    started[0]!.end();
    await settled();
    expect(names()).toBe('abcd');
    for (const { end } of started) end();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses a call when its queue is full, and accepts calls again later', async () => {
    const { call, started, names } = limitOfTwo();
    const answers = ['a', 'b', 'c', 'd'].map((name) => call(name));
    await expect(call('e')).rejects.toThrow('2 calls are waiting');
    for (const name of [0, 1, 2, 3]) {
      started[name]!.end();
      await settled();
    }
    await Promise.all(answers);
    void call('f');
    expect(names()).toBe('abcdf');
  });

  it('refuses a call that gets no slot within its time limit, and does not start it', async () => {
    const { call, started, names } = limitOfTwo();
    void call('a');
    void call('b');
    const patient = call('d', { ms: 60_000, late });
    await expect(call('c', { ms: 5, late })).rejects.toThrow('no slot in time');
    started[0]!.end();
    await settled();
    expect(names()).toBe('abd');
    started[2]!.end();
    expect(await patient).toBe('d');
  });

  it('frees the slot of a failed call', async () => {
    const { call, started, names } = limitOfTwo();
    const failing = call('a');
    void call('b');
    void call('c');
    started[0]!.end(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    expect(names()).toBe('abc');
  });
});
