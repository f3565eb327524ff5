/**
 * Iterates over the events of all pages. If a page is already in memory, its events are delivered without waiting. A
 * delivered event is no longer in the page. `eventOf`, which may parse texts, makes at most `AT_ONCE` events at a time:
 * if a page contained 500 parsed events, V8 would enlarge its heap by tens of MiB during a long read.
 */
export function flattenPages<Item extends object, Event extends object>(
  pages: AsyncIterator<Item[], undefined>,
  eventOf: (item: Item) => Event,
): AsyncIterableIterator<Event, undefined> {
  let page: Item[] = [];
  let events: Event[] = []; // in reverse order
  let loading: Promise<boolean> | undefined;

  const loadPage = async () => {
    try {
      const next = await pages.next();
      page = next.value ?? [];
      return next.done !== true;
    } finally {
      loading = undefined;
    }
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (events.length === 0) events = page.splice(0, AT_ONCE).map(eventOf).reverse();
      const event = events.pop();
      if (event) return Promise.resolve({ value: event, done: false });
      loading ??= loadPage();
      return loading.then((more) => (more ? this.next() : done));
    },
    async return() {
      [page, events] = [[], []];
      await pages.return?.();
      return done;
    },
  };
}

const AT_ONCE = 50;
const done = { value: undefined, done: true } as const;
