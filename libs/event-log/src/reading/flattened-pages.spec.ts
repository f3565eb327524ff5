import { flattenPages } from './flattened-pages';

type Item = Readonly<{ item: number }>;
const items = (from: number, to: number): Item[] => Array.from({ length: to - from }, (_, at) => ({ item: from + at }));
const eventOf = ({ item }: Item) => ({ event: item });

async function* yieldPages(...pages: Item[][]) {
  yield* pages;
  return undefined;
}

describe('Flattened pages', () => {
  it('deliver the events of all pages in order, and then end', async () => {
    const events = flattenPages(yieldPages(items(0, 120), items(120, 121)), eventOf);
    const all: object[] = [];
    for await (const event of events) all.push(event);
    expect(all).toEqual(items(0, 121).map(eventOf));
    expect(await events.next()).toEqual({ value: undefined, done: true });
  });

  it('make and keep at most fifty events at a time, so that a long read needs little memory', async () => {
    const page = items(0, 120);
    const made = jest.fn(eventOf);
    const events = flattenPages(yieldPages(page), made);
    await events.next();
    expect(page).toEqual(items(50, 120));
    expect(made).toHaveBeenCalledTimes(50);
  });

  it('end the read of the pages when the consumer stops', async () => {
    let hasEnded = false;
    const pages = (async function* () {
      try {
        yield items(0, 2);
      } finally {
        hasEnded = true;
      }
      return undefined;
    })();
    for await (const { event } of flattenPages(pages, eventOf)) if (event === 0) break;
    expect(hasEnded).toBe(true);
  });
});
