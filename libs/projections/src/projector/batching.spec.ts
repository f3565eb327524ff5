import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { readBatches } from './batching';

describe('gathering', () => {
  async function* numbers(until: number, then?: () => Promise<unknown>) {
    for (let n = 1; n <= until; n += 1) yield n;
    await then?.();
  }
  const silence = () => new Promise(() => undefined);

  it('takes what is there without waiting, up to the most', async () => {
    const gathered = readBatches(numbers(5, silence), 3);
    expect(await gathered.next(1_000)).toEqual([1, 2, 3]);
    expect(await gathered.next(1_000)).toEqual([4, 5]);
    expect(await gathered.next(5)).toEqual([]);
  });

  it('takes the next page along when the source needs a turn to read it', async () => {
    async function* pages() {
      for (let n = 1; n <= 1_000; n += 1) {
        if (n % 250 === 1) await turn();
        yield n;
      }
      await silence();
    }
    expect(await readBatches(pages(), 10_000).next(1_000)).toHaveLength(1_000);
  });

  it('loses nothing of what comes after it has stopped waiting', async () => {
    async function* late() {
      await pause(30);
      yield 1;
      yield 2;
      await silence();
    }
    const gathered = readBatches(late(), 10);
    expect(await gathered.next(5)).toEqual([]);
    expect(await gathered.next(1_000)).toEqual([1, 2]);
  });

  it('answers what came before a failure, and then fails, each time', async () => {
    const gathered = readBatches(
      numbers(2, () => Promise.reject(new Error('gone'))),
      10,
    );
    expect(await gathered.next(1_000)).toEqual([1, 2]);
    await expect(gathered.next(1_000)).rejects.toThrow('gone');
    await expect(gathered.next(1_000)).rejects.toThrow('gone');
  });

  it('says that the source has ended', async () => {
    const gathered = readBatches(numbers(1), 10);
    expect(await gathered.next(1_000)).toEqual([1]);
    await expect(gathered.next(1_000)).rejects.toMatchObject({ kind: 'closed' });
  });

  it('stops waiting at once when it is told to, and ends a source that never answers', async () => {
    const stop = new AbortController();
    const gathered = readBatches(numbers(0, silence), 10, stop.signal);
    const began = Date.now();
    setTimeout(() => stop.abort(), 10);
    expect(await gathered.next(10_000)).toEqual([]);
    expect(await gathered.next(10_000)).toEqual([]);
    await gathered.close();
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
