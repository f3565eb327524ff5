const listeners = new Set<() => void>();

/** With `ask`, another part of the page opens the time bar. If the page has no time bar, `ask` has no effect. */
export const lookBack = {
  ask: (): void => {
    for (const open of listeners) open();
  },
  /** Registers a function that each `ask` calls. Returns the function that unregisters it. */
  listen: (open: () => void) => {
    listeners.add(open);
    return () => void listeners.delete(open);
  },
};
