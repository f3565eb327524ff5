/** The items of pages, one by one. Whatever lies in the page at hand comes without waiting for anything. */
export function flattenPages<Item>(
  pages: AsyncIterator<readonly Item[], undefined>,
): AsyncIterableIterator<Item, undefined> {
  let page: readonly Item[] = [];
  let taken = 0;
  let turning: Promise<boolean> | undefined;

  const turn = async () => {
    try {
      const next = await pages.next();
      [page, taken] = [next.value ?? [], 0];
      return next.done !== true;
    } finally {
      turning = undefined;
    }
  };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (taken < page.length) return Promise.resolve({ value: page[taken++]!, done: false });
      turning ??= turn();
      return turning.then((more) => (more ? this.next() : over));
    },
    async return() {
      page = [];
      await pages.return?.();
      return over;
    },
  };
}

const over = { value: undefined, done: true } as const;
