import {
  type ReadOrder,
  readRevisionRange,
  readRevisionRangeWithTexts,
  type RevisionRange,
  revisionRangeOf,
} from '@charter/aggregates';
import {
  type EventLog,
  lastEventOf,
  type StoredEvent,
  type StreamReader,
  type StreamReaderWithTexts,
} from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { type EventsQuery, eventsCursor, wantedEvents } from './history.requests';
import type { HistoryEventAnswer } from './history.answers';
import { historyEventLine, printedHistoryEvent } from './printed-event';

/** The requested events of a stream: a range of revisions, an order, and a filter for event types. */
export type StreamSelection = RevisionRange &
  Readonly<{
    stream: string;
    order: ReadOrder;
    /** Undefined if the query has no filter. */
    isWanted: ((event: StoredEvent) => boolean) | undefined;
    /**
     * Contains the events that only repeat a sale in force. The map's key is the revision of such an event, and the
     * value is the revision of the repeated event.
     */
    repetitions: ReadonlyMap<number, number>;
  }>;

/** The part of the organization's stream that a query requests; undefined if the organization does not exist. */
export async function streamSelectionOf(
  log: StreamReader,
  id: string,
  query: EventsQuery,
  repetitions: StreamSelection['repetitions'],
): Promise<StreamSelection | undefined> {
  const stream = organizationStream(id);
  const end = await lastEventOf(log, stream);
  if (!end) return undefined;
  const { first, last } = await revisionRangeOf(log, stream, Number(end.revision), query);
  const { order, fold } = query;
  const [, seen] = query.cursor ?? [];
  const matchesFilter = wantedEvents(query);
  const isNoRepetition = (event: StoredEvent) => !repetitions.has(Number(event.revision));
  return {
    ...{ stream, order, repetitions },
    isWanted: fold === undefined ? matchesFilter : (event) => isNoRepetition(event) && matchesFilter?.(event) !== false,
    first: seen !== undefined && order === 'oldest' ? Math.max(first, seen + 1) : first,
    last: seen !== undefined && order === 'newest' ? Math.min(last, seen - 1) : last,
  };
}

/**
 * Yields arrays of JSON lines: one array for each page that the store reads. The array is empty if the filter accepts
 * no event of the page.
 * @throws the reason of `gone` after the client has disconnected
 */
export async function* selectedEventLines(
  log: StreamReaderWithTexts,
  { stream, order, isWanted, repetitions, ...range }: StreamSelection,
  gone: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  for await (const page of readRevisionRangeWithTexts(log, stream, range, order)) {
    gone.throwIfAborted();
    const matching = isWanted ? page.filter(({ event }) => isWanted(event)) : page;
    yield matching.map((item) => historyEventLine(item, repetitions));
  }
}

/** A page of requested events, and the cursor of the next page. */
export async function eventPage(log: Pick<EventLog, 'readStream'>, wanted: StreamSelection, limit: number) {
  const { stream, order, first, last, isWanted, repetitions } = wanted;
  const events: HistoryEventAnswer[] = [];
  for await (const event of readRevisionRange(log, stream, wanted, order)) {
    if (isWanted?.(event) === false) continue;
    events.push(printedHistoryEvent(event, repetitions));
    if (events.length === limit) break;
  }
  const shown = events.at(-1)?.revision;
  const isOver = shown === undefined || events.length < limit || shown === (order === 'oldest' ? last : first);
  return { events, next: isOver ? null : eventsCursor(order, shown) };
}
