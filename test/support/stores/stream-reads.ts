import type { EventLog, ReadStreamOptions } from '@charter/event-log';
import { withFaults } from './faults';

/**
 * Changes the result of a read of a stream.
 * @param items events, or pages of events
 * @param eventsIn the number of events of an item
 */
export type ReadChange = <Item>(
  items: AsyncIterable<Item>,
  eventsIn: (item: Item) => number,
  stream: string,
  options: ReadStreamOptions,
) => AsyncIterable<Item>;

/** A log that applies `change` to its reads of single streams: to reads of events, and to reads of pages with texts. */
export const withChangedStreamReads = (log: EventLog, change: ReadChange): EventLog =>
  withFaults(log, {
    readStream: (stream, options = {}) => change(log.readStream(stream, options), () => 1, stream, options),
    readStreamWithTexts: (stream, options = {}) =>
      change(log.readStreamWithTexts!(stream, options), (page) => page.length, stream, options),
  });
