import type { Message } from '@charter/decider';
import type { Receipt } from './receipts';
import type { EventLog } from '@charter/event-log';
import { metadataOf, recordedEvent } from '@charter/event-log';
import type { ReplayRules } from './replay';
import { readTimeLeft } from './deadline';

/**
 * Reads the receipt of a command that was executed before. `last` is the revision of the command's last event. The read
 * must end by `deadline`, a time on the clock of `performance`.
 */
export async function previousReceipt<Draft, Event extends Message>(
  log: EventLog,
  rules: ReplayRules<Draft, Event>,
  stream: string,
  { command, last, deadline }: Readonly<{ command: string; last: number; deadline: number }>,
): Promise<Receipt<Event>> {
  const backwards: Event[] = [];
  let end = {};
  const read = { from: BigInt(last), direction: 'backwards', deadline: readTimeLeft(deadline) } as const;
  for await (const event of log.readStream(stream, read)) {
    if (metadataOf(event).command !== command) break;
    if (backwards.length === 0) end = { position: event.position };
    backwards.push(withoutMetadata(recordedEvent(rules, event)));
  }
  return { revision: last, events: backwards.reverse(), ...end };
}

/** Returns only the type and the data of an event, like `decide`. */
// The cast is safe, because a `Message` without metadata has only a type and data.
export const withoutMetadata = <Event extends Message>({ type, data }: Event): Event => ({ type, data }) as Event;
