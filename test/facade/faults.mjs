/**
 * The faults of the façade. An order applies to the next `times` matching calls (default 1); later calls work normally.
 */
export function faultsFrom() {
  const orders = new Map();
  const subscriptions = new Set();
  const garbled = new Set();
  let begun = 0;
  let cut = () => {};
  let isDenied = false;
  let [running, peak] = [0, 0];

  return {
    /**
     * Orders for an append: `lose` it, `dawdle` before it, or `refuse` it with a `code` and a `message`. After the
     * append is written: `swallow` the answer, send it `late`, `break` the call, or `cut` all connections. Orders for
     * reads and subscriptions: `slowRead`, `refuseRead`, events `twice`, `tooSlow`, checkpoints `early`.
     */
    order: (name, order = {}) => orders.set(name, { times: 1, ...order }),
    deny: (whether) => (isDenied = whether),
    denied: () => isDenied,
    /** The order, if it applies to this call. */
    take: (name) => {
      const order = orders.get(name);
      if (!order) return undefined;
      order.times -= 1;
      if (order.times <= 0) orders.delete(name);
      return order;
    },
    /** Registers a subscription. The returned function removes it, and returns the reason of its end. */
    subscribed: (call, iterator) => {
      begun += 1;
      const entry = { iterator, why: undefined };
      subscriptions.add(entry);
      call.on('cancelled', () => subscriptions.delete(entry));
      return () => {
        subscriptions.delete(entry);
        return entry.why;
      };
    },
    /** Ends every subscription, cleanly or with an error; or leaves them open and silent for ever. */
    endSubscriptions: (how) => {
      for (const entry of subscriptions) {
        entry.why = how === 'error' ? { code: 1, message: 'The server is going away.' } : undefined;
        if (how === 'silence') entry.iterator.next = () => new Promise(() => {});
        void entry.iterator.return();
      }
      return subscriptions.size;
    },
    subscriptions: () => subscriptions.size,
    /** The number of subscriptions since the start. */
    subscriptionsBegun: () => begun,
    /** Sends this event from now on with data that is not JSON, like an event of an outside tool. */
    garble: (stream, revision) => garbled.add(`${stream} ${revision}`),
    isGarbled: ({ stream, revision }) => garbled.has(`${stream} ${revision}`),
    /** Sets the function behind `cut`. */
    cutBy: (how) => (cut = how),
    cut: () => cut(),
    /** Counts concurrent appends; `peak` is the largest number so far. */
    counted: async (work) => {
      running += 1;
      peak = Math.max(peak, running);
      return work.finally(() => (running -= 1));
    },
    peak: () => peak,
  };
}
