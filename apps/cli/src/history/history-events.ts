import { eventFilter, readRevisionRange, revisionRangeOf, type HistoryPoint } from '@charter/aggregates';
import { contentOf, type StoredEvent, type StreamReader } from '@charter/event-log';
import type { OrganizationEvent } from '@charter/organization';
import { isAbout } from '@charter/organization-view';

/** The requested events of a history, and their order. */
export type EventFilter = Readonly<{
  asOf?: HistoryPoint;
  from?: HistoryPoint;
  /** A revision or a moment, as `asOf` in the HTTP interface. */
  to?: HistoryPoint;
  type?: readonly OrganizationEvent['type'][];
  notType?: readonly OrganizationEvent['type'][];
  /** Keeps only events of this actor (an id), or of this kind of actors. */
  actor?: string;
  /** Keeps only events that the request with this id caused. */
  correlation?: string;
  /**
   * Keeps only events about this path of the document, or about a value below it. The path is given in segments, such
   * as `members` and a member's id.
   */
  about?: readonly string[];
  newest?: true;
  fold?: true;
  limit?: number;
}>;

/**
 * Yields the wanted events in order, including those at both ends of the range. Reads no event outside the range.
 * @param newest the stream's newest revision
 * @param repetitions the revisions of the events that `fold` leaves out
 * @param onSeen gets the number of events read so far, wanted or not; `onSeen` may throw to stop the reading
 */
export async function* filteredEvents(
  log: StreamReader,
  stream: string,
  choice: EventFilter,
  newest: number,
  repetitions: Pick<ReadonlyMap<number, unknown>, 'has'>,
  onSeen: (events: number) => void = () => undefined,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { from, asOf, to = asOf, type, notType, limit = Infinity, about } = choice;
  const isNamed = eventFilter({ ...choice, types: type, notTypes: notType });
  const isSubject = about ? isAbout(about) : () => true;
  const isWanted = (event: StoredEvent) =>
    isNamed(event) &&
    isSubject({ type: event.type, data: contentOf(event)?.data }) &&
    !(choice.fold && repetitions.has(Number(event.revision)));
  const stretch = await revisionRangeOf(log, stream, newest, { from, to });
  let [seen, taken] = [0, 0];
  for await (const event of readRevisionRange(log, stream, stretch, choice.newest ? 'newest' : 'oldest')) {
    onSeen((seen += 1));
    if (!isWanted(event)) continue;
    yield event;
    if ((taken += 1) >= limit) return;
  }
}
