import { eventFilter, readRevisionRange, revisionRangeOf, type HistoryPoint } from '@charter/aggregates';
import type { StoredEvent, StreamReader } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';

/** Which events of a history are asked for, and in which order. */
export type EventFilter = Readonly<{
  asOf?: HistoryPoint;
  from?: HistoryPoint;
  /** The same as `asOf`. */
  to?: HistoryPoint;
  type?: readonly OrganizationEvent['type'][];
  /** By id or kind. */
  actor?: string;
  newest?: true;
  limit?: number;
}>;

/**
 * One after the other. Both ends belong to it, and what lies between them is all that is read.
 * @param newest the stream's newest revision
 * @param onSeen is told how many events were read, chosen or not; ends the reading by throwing
 */
export async function* filteredEvents(
  log: StreamReader,
  stream: string,
  choice: EventFilter,
  newest: number,
  onSeen: (events: number) => void = () => undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { from, asOf, to = asOf, type, actor, limit = Infinity } = choice;
  const isWanted = eventFilter(type, actor);
  const stretch = await revisionRangeOf(log, stream, newest, { from, to });
  let [seen, taken] = [0, 0];
  for await (const event of readRevisionRange(log, stream, stretch, choice.newest ? 'newest' : 'oldest')) {
    onSeen((seen += 1));
    if (!isWanted(event)) continue;
    yield event;
    if ((taken += 1) >= limit) return;
  }
}
