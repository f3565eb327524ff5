/** How the façade misbehaves. Each order holds for so many times (1 unless it says more), then everything is well again. */
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
     * Orders: `lose` an append; `dawdle` before it; `refuse` it with a `code` and a `message`; once it is written,
     * `swallow` the answer, give it `late`, `break` instead of it or `cut` all connections; `slowRead`, `refuseRead`;
     * events `twice`; `tooSlow`; checkpoints `early`.
     */
    order: (name, order = {}) => orders.set(name, { times: 1, ...order }),
    deny: (whether) => (isDenied = whether),
    denied: () => isDenied,
    /** Whether this is one of the times; the order if it is. */
    take: (name) => {
      const order = orders.get(name);
      if (!order) return undefined;
      order.times -= 1;
      if (order.times <= 0) orders.delete(name);
      return order;
    },
    /** Notes a subscription. Answers with what it ended for, once it has. */
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
    /** Ends every subscription: politely, or with an error; or leaves them open and silent for ever. */
    endSubscriptions: (how) => {
      for (const entry of subscriptions) {
        entry.why = how === 'error' ? { code: 1, message: 'The server is going away.' } : undefined;
        if (how === 'silence') entry.iterator.next = () => new Promise(() => {});
        void entry.iterator.return();
      }
      return subscriptions.size;
    },
    subscriptions: () => subscriptions.size,
    /** How many there were in all. */
    subscriptionsBegun: () => begun,
    /** From now on this event is told with something in it that is not JSON, as an outside tool may have written it. */
    garble: (stream, revision) => garbled.add(`${stream} ${revision}`),
    isGarbled: ({ stream, revision }) => garbled.has(`${stream} ${revision}`),
    /** What `cut` does. */
    cutBy: (how) => (cut = how),
    cut: () => cut(),
    /** Counts appends that are under way; `peak` is the most there ever were at once. */
    counted: async (work) => {
      running += 1;
      peak = Math.max(peak, running);
      return work.finally(() => (running -= 1));
    },
    peak: () => peak,
  };
}
