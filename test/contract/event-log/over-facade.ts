import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery, EventLog, StoredEvent, SubscribeOptions } from '@charter/event-log';
import { family, several, textOf } from './under-test';

/** Appends this number of events to a new stream whose name has a unique prefix. */
export async function writtenTo(log: EventLog, count: number) {
  const prefix = family();
  const stream = `${prefix}-1`;
  await log.append(stream, several(count), { expected: 'no_stream', deadline: 10_000 });
  return { prefix, stream };
}

/** A subscription from which a spec takes one delivery after the other. */
export function subscribedTo(log: EventLog, options: SubscribeOptions) {
  const iterator = log.subscribe(options)[Symbol.asyncIterator]();
  const next = async (): Promise<Delivery> => {
    const { value, done } = await iterator.next();
    if (done) throw new Error('The subscription has ended.');
    return value;
  };
  const nextEvent = async (): Promise<StoredEvent> => {
    for (;;) {
      const delivery = await next();
      if (delivery.kind === 'event') return delivery.event;
    }
  };
  return {
    next,
    nextEvent,
    texts: async (count: number) => {
      const found: unknown[] = [];
      while (found.length < count) found.push(textOf(await nextEvent()));
      return found;
    },
    end: () => iterator.return?.(),
  };
}

/** Repeats the work until it succeeds. @throws the last error, if the work still fails after 10 s */
export async function retried(work: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 10_000; ;) {
    try {
      await work();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await pause(50);
    }
  }
}
