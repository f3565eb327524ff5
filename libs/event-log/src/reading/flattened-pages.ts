/** Iterates over the items of all pages. If a page is already in memory, its items are delivered without waiting. */
export function flattenPages<Item>(
  pages: AsyncIterator<readonly Item[], undefined>,
): AsyncIterableIterator<Item, undefined> {
  let page: readonly Item[] = [];
  let taken = 0;
  let loading: Promise<boolean> | undefined;

  const loadPage = async () => {
    try {
      const next = await pages.next();
      [page, taken] = [next.value ?? [], 0];
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
      if (taken < page.length) return Promise.resolve({ value: page[taken++]!, done: false });
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
