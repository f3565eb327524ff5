import type { EventLog, ReadStreamOptions } from '@charter/event-log';
import { withFaults } from './faults';

/**
 * Changes the result of a read of a stream.
 * @param items events, or pages of events
 * @param eventsIn the number of events of an item
 */
export type ChangeRead = <Item>(
  items: AsyncIterable<Item>,
  eventsIn: (item: Item) => number,
  stream: string,
  options: ReadStreamOptions,
) => AsyncIterable<Item>;

/** A log whose reads of single streams are changed: the reads of events, and the reads of pages with texts. */
export const withChangedStreamReads = (log: EventLog, changed: ChangeRead): EventLog =>
  withFaults(log, {
    readStream: (stream, options = {}) => changed(log.readStream(stream, options), () => 1, stream, options),
    readStreamWithTexts: (stream, options = {}) =>
      changed(log.readStreamWithTexts!(stream, options), (page) => page.length, stream, options),
  });
