const listeners = new Set<() => void>();

/** Lets another part of the page open the time bar. If the page has no time bar, a request has no effect. */
export const lookBack = {
  ask: (): void => {
    for (const open of listeners) open();
  },
  /** Calls the function at each request. Returns a function that ends this. */
  listen: (open: () => void) => {
    listeners.add(open);
    return () => void listeners.delete(open);
  },
};
