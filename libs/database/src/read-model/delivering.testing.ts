import type { Delivery, EventLog, SubscribeOptions } from '@charter/event-log';

/** The log, whose deliveries are made into others; `before` are those that came so far, this one included. */
export const delivering = (
  log: EventLog,
  change: (delivery: Delivery, before: readonly Delivery[]) => readonly Delivery[],
): EventLog =>
  Object.assign(Object.create(log) as EventLog, {
    subscribe: (options: SubscribeOptions) => {
      const source = log.subscribe(options)[Symbol.asyncIterator]();
      const before: Delivery[] = [];
      let ready: Delivery[] = [];
      const next = async (): Promise<IteratorResult<Delivery>> => {
        const value = ready.shift();
        if (value) return { value, done: false };
        const step = await source.next();
        if (step.done) return step;
        before.push(step.value);
        ready = [...change(step.value, before)];
        return next();
      };
      return { [Symbol.asyncIterator]: () => ({ next, return: () => source.return!() }) };
    },
  });
