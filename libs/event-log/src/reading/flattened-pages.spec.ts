import { flattenPages } from './flattened-pages';

async function* yieldPages(...pages: { item: number }[][]) {
  yield* pages;
  return undefined;
}

describe('Flattened pages', () => {
  it('deliver the events of all pages in order, and then end', async () => {
    const events = flattenPages(yieldPages([{ item: 1 }, { item: 2 }], [{ item: 3 }]), ({ item }) => item * 10);
    expect(await Array.fromAsync(events)).toEqual([10, 20, 30]);
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('keep neither delivered items nor events that are not delivered yet, so that a long read needs little memory', async () => {
    const page = [{ item: 1 }, { item: 2 }, { item: 3 }];
    const eventOf = jest.fn(({ item }: { item: number }) => item);
    const events = flattenPages(yieldPages(page), eventOf);
    await events.next();
    expect(page).toEqual([{ item: 2 }, { item: 3 }]);
    expect(eventOf).toHaveBeenCalledTimes(1);
  });

  it('end the read of the pages when the consumer stops', async () => {
    let hasEnded = false;
    const pages = (async function* () {
      try {
        yield [{ item: 1 }, { item: 2 }];
      } finally {
        hasEnded = true;
      }
      return undefined;
    })();
    for await (const item of flattenPages(pages, ({ item }) => item)) if (item === 1) break;
    expect(hasEnded).toBe(true);
  });
});
