import { canonicalText } from './canonical';
import type { StoredEvent } from './port';
import { tallied } from './tally';

/** A line of a carried log is no event, or not the one that belongs there; or the log to carry it into is not free for it. */
export class NotCarried extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotCarried';
  }
}

/** What the first line says. */
export const FORMAT = { charter: 'events', version: 1 };

export type CarriedEvent = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'> &
  Readonly<{ bytes: number }>;

/** The events of carried lines; every revision follows the one before it. Throws at the end if the sum is another one. */
export async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<CarriedEvent> {
  const tally = tallied();
  let number = 0;
  let isOver = false;
  for await (const text of lines) {
    number += 1;
    const line = parsed(text, number);
    if (isOver) throw new NotCarried(`Line ${number} comes after the end.`);
    if (number === 1) {
      if (line['charter'] !== FORMAT.charter || line['version'] !== FORMAT.version)
        throw new NotCarried('This is no file of events that this version of Charter can read.');
    } else if ('end' in line) {
      isOver = true;
      if (canonicalText(line['end']) !== canonicalText(tally.sum()))
        throw new NotCarried('The events do not amount to what the last line says: the file was changed.');
    } else {
      const event = eventIn(line, text, number);
      if (event.revision !== tally.next(event.stream))
        throw new NotCarried(`Line ${number} is not the next event of ${event.stream}.`);
      tally.add(event);
      yield event;
    }
  }
  if (!isOver) throw new NotCarried('The last line is missing: the file was cut off.');
}

function parsed(text: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null) return line as Readonly<Record<string, unknown>>;
  } catch {
    // is told below
  }
  throw new NotCarried(`Line ${number} is not JSON.`);
}

function eventIn(line: Readonly<Record<string, unknown>>, text: string, number: number): CarriedEvent {
  const { stream, revision, id, type, data, metadata } = line;
  const isEvent =
    typeof stream === 'string' &&
    typeof id === 'string' &&
    typeof type === 'string' &&
    typeof data === 'object' &&
    data !== null;
  if (!isEvent || typeof revision !== 'string' || !/^\d{1,19}$/.test(revision))
    throw new NotCarried(`Line ${number} is no event.`);
  return { stream, revision: BigInt(revision), id, type, data, metadata, bytes: Buffer.byteLength(text) };
}
