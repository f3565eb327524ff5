/** The faults that a test can order. Each fault applies to the next `times` matching calls (default 1). */
export function faultsFrom() {
  const orders = new Map();
  const takings = new Map();
  const subscriptions = new Set();
  const garbled = new Set();
  let begun = 0;
  let cut = () => {};
  let isDenied = false;
  let [running, peak] = [0, 0];

  return {
    /**
     * Before an append is written: `lose` drops the append, `dawdle` waits, `refuse` fails with a `code` and a
     * `message`. After the append is written: `swallow` sends no answer, `late` delays the answer, `break` ends the
     * call with an error, `cut` cuts all connections. For reads and subscriptions: `slowRead` delays each event,
     * `refuseRead` fails, `twice` repeats events, `tooSlow` ends the subscription, `beyond` sends a checkpoint beyond
     * the end.
     */
    order: (name, order = {}) => orders.set(name, { times: 1, ...order }),
    deny: (whether) => (isDenied = whether),
    denied: () => isDenied,
    /** Returns the fault of this name and counts this call, if a test has ordered the fault. */
    take: (name) => {
      const order = orders.get(name);
      if (!order) return undefined;
      order.times -= 1;
      if (order.times <= 0) orders.delete(name);
      takings.set(name, (takings.get(name) ?? 0) + 1);
      return order;
    },
    /** The number of calls that this fault has struck since the start. */
    taken: (name) => takings.get(name) ?? 0,
    /**
     * Registers a subscription. The returned function unregisters the subscription, and returns the error with which
     * `endSubscriptions` ended the subscription.
     */
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
    /** Ends every subscription, with or without an error; or keeps every subscription open and sends nothing more. */
    endSubscriptions: (how) => {
      for (const entry of subscriptions) {
        entry.why = how === 'error' ? { code: 1, message: 'The server is going away.' } : undefined;
        if (how === 'silence') entry.iterator.next = () => new Promise(() => {});
        void entry.iterator.return();
      }
      return subscriptions.size;
    },
    subscriptions: () => subscriptions.size,
    /** The number of subscriptions that have begun since the start. */
    subscriptionsBegun: () => begun,
    /** From now on, sends this event with data that is not JSON, as if an outside tool had written it. */
    garble: (stream, revision) => garbled.add(`${stream} ${revision}`),
    isGarbled: ({ stream, revision }) => garbled.has(`${stream} ${revision}`),
    /** Sets the function that `cut` calls. */
    cutBy: (how) => (cut = how),
    cut: () => cut(),
    /** Counts concurrent appends. */
    counted: async (work) => {
      running += 1;
      peak = Math.max(peak, running);
      return work.finally(() => (running -= 1));
    },
    runningAppends: () => running,
    /** Returns the largest number of concurrent appends since the last call of this function. */
    takePeak: () => {
      const largest = peak;
      peak = running;
      return largest;
    },
  };
}
