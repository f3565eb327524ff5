import {
  countFirstEvents,
  type EventLog,
  isLogError,
  lastEventOf,
  type Position,
  type StoredEvent,
  type StreamReader,
} from '@charter/event-log';
import { organizationStreamPrefix } from '@charter/organization';

/**
 * Yields events after a position, up to the current end of the log, in commit order.
 * @param from a later position at which the read starts instead of at `after`. All events between the two positions
 * belong to other streams. If the server has removed the event at `from`, the read starts at `after`.
 */
export type ChangeSource = (after: Position | undefined, from?: Position) => AsyncIterable<StoredEvent>;

export const feedPrefixes: readonly string[] = [organizationStreamPrefix];

/** The events of all organizations. */
export const allChanges = (log: Pick<EventLog, 'readAll'>): ChangeSource =>
  async function* read(after, from = after): AsyncGenerator<StoredEvent, void> {
    try {
      for await (const event of log.readAll({ from: from ?? 'start', streamPrefixes: feedPrefixes }))
        if (after === undefined || event.position > after) yield event;
    } catch (error) {
      if (from === after || !isLogError(error, 'invalid-position')) throw error;
      yield* read(after, after);
    }
  };

/**
 * The events of an existing organization. Reads only the organization's stream: the first call finds the first revision
 * after the position, and each later call continues after the last event.
 * @param first the first revision to yield
 */
export function changesOf(log: StreamReader, stream: string, first = 0): ChangeSource {
  let next: number | undefined;
  const startAfter = async (position: Position | undefined) => {
    if (position === undefined) return first;
    const last = Number((await lastEventOf(log, stream))?.revision ?? -1);
    return Math.max(first, await countFirstEvents(log, stream, last, (event) => event.position <= position));
  };
  return async function* (after) {
    next ??= await startAfter(after);
    for await (const event of log.readStream(stream, { from: BigInt(next) })) {
      next = Number(event.revision) + 1;
      yield event;
    }
  };
}
