import { setImmediate as loopTurn, setTimeout as pause } from 'node:timers/promises';
import { readBatches } from './batching';

describe('Batches of a source', () => {
  async function* numbers(until: number, then?: () => Promise<unknown>) {
    for (let n = 1; n <= until; n += 1) yield n;
    await then?.();
  }
  const silence = () => new Promise(() => undefined);

  it('take available items without waiting, up to the maximum', async () => {
    const reader = readBatches(numbers(5, silence), 3);
    expect(await reader.next(1_000)).toEqual([1, 2, 3]);
    expect(await reader.next(1_000)).toEqual([4, 5]);
    expect(await reader.next(5)).toEqual([]);
  });

  it("include the source's next page when the source reads this page within the same iteration of the event loop", async () => {
    async function* pages() {
      for (let n = 1; n <= 1_000; n += 1) {
        if (n % 250 === 1) await loopTurn();
        yield n;
      }
      await silence();
    }
    expect(await readBatches(pages(), 10_000).next(1_000)).toHaveLength(1_000);
  });

  it('do not lose an item that arrives after the wait has ended: the next batch contains it', async () => {
    async function* late() {
      await pause(30);
      yield 1;
      yield 2;
      await silence();
    }
    const reader = readBatches(late(), 10);
    expect(await reader.next(5)).toEqual([]);
    expect(await reader.next(1_000)).toEqual([1, 2]);
  });

  it('return the items before a failure, and throw the failure at each later call', async () => {
    const reader = readBatches(
      numbers(2, () => Promise.reject(new Error('gone'))),
      10,
    );
    expect(await reader.next(1_000)).toEqual([1, 2]);
    await expect(reader.next(1_000)).rejects.toThrow('gone');
    await expect(reader.next(1_000)).rejects.toThrow('gone');
  });

  it('throw an error of kind `closed` when the source has ended', async () => {
    const reader = readBatches(numbers(1), 10);
    expect(await reader.next(1_000)).toEqual([1]);
    await expect(reader.next(1_000)).rejects.toMatchObject({ kind: 'closed' });
  });

  it('end their wait at once when the signal aborts, and then close the source, even if it never answers', async () => {
    const stop = new AbortController();
    const reader = readBatches(numbers(0, silence), 10, stop.signal);
    const began = Date.now();
    setTimeout(() => stop.abort(), 10);
    expect(await reader.next(10_000)).toEqual([]);
    expect(await reader.next(10_000)).toEqual([]);
    await reader.close();
    expect(Date.now() - began).toBeLessThan(2_000);
  });

  it('do not let the memory grow with each wait while the source is silent', async () => {
    const step = silence();
    const reactions = jest.spyOn(step, 'then');
    const source = { [Symbol.asyncIterator]: () => ({ next: () => step as Promise<IteratorResult<number>> }) };
    const reader = readBatches(source, 10);
    for (let wait = 0; wait < 20; wait += 1) expect(await reader.next(1)).toEqual([]);
    expect(reactions).toHaveBeenCalledTimes(1);
  });
});
