import type { Delivery, EventLog, SubscribeOptions } from '@charter/event-log';

/**
 * A log for specs: `change` replaces each delivery of a subscription by other deliveries. `delivered` contains the
 * original deliveries so far; its last element is the current delivery.
 */
export const delivering = (
  log: EventLog,
  change: (delivery: Delivery, delivered: readonly Delivery[]) => readonly Delivery[],
): EventLog =>
  Object.assign(Object.create(log) as EventLog, {
    subscribe: (options: SubscribeOptions) => {
      const source = log.subscribe(options)[Symbol.asyncIterator]();
      const delivered: Delivery[] = [];
      let ready: Delivery[] = [];
      const next = async (): Promise<IteratorResult<Delivery>> => {
        const value = ready.shift();
        if (value) return { value, done: false };
        const step = await source.next();
        if (step.done) return step;
        delivered.push(step.value);
        ready = [...change(step.value, delivered)];
        return next();
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: () => source.return!() }) };
    },
  });
