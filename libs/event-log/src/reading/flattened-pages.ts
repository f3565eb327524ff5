/**
 * Iterates over the events of all pages. If a page is already in memory, its events are delivered without waiting. The
 * iteration removes each item from its page and only then makes the event of the item. Otherwise all events of a page
 * would be in memory at the same time, and V8 would enlarge its heap by tens of MiB during a long read.
 */
export function flattenPages<Item extends object, Event>(
  pages: AsyncIterator<Item[], undefined>,
  eventOf: (item: Item) => Event,
): AsyncIterableIterator<Event, undefined> {
  let page: Item[] = [];
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
      const item = page.shift();
      if (item) return Promise.resolve({ value: eventOf(item), done: false });
      loading ??= loadPage();
      return loading.then((more) => (more ? this.next() : done));
    },
    async return() {
      page = [];
      await pages.return?.();
      return done;
    },
  };
}

const done = { value: undefined, done: true } as const;
