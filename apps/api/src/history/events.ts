import type { Metadata } from '@charter/decider';
import { countBy, type EventLog, lastOf, type StoredEvent, type StreamReading } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { type EventsQuery, eventsCursor } from './history.requests';
import { printedEvent } from './printed-event';

/** Which revisions of a stream are asked for, the ends included, and which of the events among them. */
export type Wanted = Readonly<{
  stream: string;
  first: number;
  last: number;
  order: 'oldest' | 'newest';
  isWanted: (event: StoredEvent) => boolean;
}>;

/** Undefined: there is no such organization. What lies before its first event or behind its last is simply not there. */
export async function wantedOf(
  log: StreamReading,
  id: string,
  { from, to, type, actor, order, cursor }: EventsQuery,
): Promise<Wanted | undefined> {
  const stream = organizationStream(id);
  const end = await lastOf(log, stream);
  if (!end) return undefined;
  const newest = Number(end.revision);
  const oldest =
    from === undefined
      ? 0
      : 'revision' in from
        ? from.revision
        : await countBy(log, stream, newest, from.moment, 'excluded');
  const latest =
    to === undefined
      ? newest
      : 'revision' in to
        ? Math.min(to.revision, newest)
        : (await countBy(log, stream, newest, to.moment, 'included')) - 1;
  const [, seen] = cursor ?? [];
  return {
    ...{ stream, order, isWanted: wantedBy(type, actor) },
    first: seen !== undefined && order === 'oldest' ? Math.max(oldest, seen + 1) : oldest,
    last: seen !== undefined && order === 'newest' ? Math.min(latest, seen - 1) : latest,
  };
}

function wantedBy(types: readonly string[] | undefined, actor: string | undefined) {
  const typed = types && new Set(types);
  return ({ type, metadata }: StoredEvent): boolean => {
    if (typed && !typed.has(type)) return false;
    if (actor === undefined) return true;
    const { kind, id } = (metadata as Metadata).actor;
    return kind === actor || id === actor;
  };
}

/** One after the other, read page by page. */
export async function* eventsIn(
  log: StreamReading,
  { stream, first, last, order, isWanted }: Wanted,
): AsyncGenerator<ReturnType<typeof printedEvent>, void> {
  const maxCount = last - first + 1;
  if (maxCount <= 0) return;
  const options =
    order === 'oldest'
      ? ({ from: BigInt(first), maxCount } as const)
      : ({ from: BigInt(last), direction: 'backwards', maxCount } as const);
  for await (const event of log.readStream(stream, options)) if (isWanted(event)) yield printedEvent(event);
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
