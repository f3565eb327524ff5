import { chosenBy, type Order, readStretch, type Stretch, stretchOf } from '@charter/aggregates';
import { type EventLog, lastOf, type StoredEvent, type StreamReading } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { type EventsQuery, eventsCursor } from './history.requests';
import { printedEvent } from './printed-event';

/** Which part of a stream is asked for, in which order, and which of the events in it. */
export type Wanted = Stretch & Readonly<{ stream: string; order: Order; isWanted: (event: StoredEvent) => boolean }>;

/** Undefined: there is no such organization. */
export async function wantedOf(
  log: StreamReading,
  id: string,
  { from, to, type, actor, order, cursor }: EventsQuery,
): Promise<Wanted | undefined> {
  const stream = organizationStream(id);
  const end = await lastOf(log, stream);
  if (!end) return undefined;
  const { first, last } = await stretchOf(log, stream, Number(end.revision), { from, to });
  const [, seen] = cursor ?? [];
  return {
    ...{ stream, order, isWanted: chosenBy(type, actor) },
    first: seen !== undefined && order === 'oldest' ? Math.max(first, seen + 1) : first,
    last: seen !== undefined && order === 'newest' ? Math.min(last, seen - 1) : last,
  };
}

/** One after the other, read page by page. */
export async function* eventsIn(
  log: StreamReading,
  { stream, order, isWanted, ...stretch }: Wanted,
): AsyncGenerator<ReturnType<typeof printedEvent>, void> {
  for await (const event of readStretch(log, stream, stretch, order)) if (isWanted(event)) yield printedEvent(event);
}

/** So many at most, and where the next ones begin. */
export async function pageOf(log: Pick<EventLog, 'readStream'>, wanted: Wanted, limit: number) {
  const { order, first, last } = wanted;
  const events: ReturnType<typeof printedEvent>[] = [];
  for await (const event of eventsIn(log, wanted)) if (events.push(event) === limit) break;
  const shown = events.at(-1)?.revision;
  const isOver = shown === undefined || events.length < limit || shown === (order === 'oldest' ? last : first);
  return { events, next: isOver ? null : eventsCursor(order, shown) };
}
