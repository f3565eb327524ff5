import { countEventsBy, metadataOf, pagesWithTexts } from '@charter/event-log';
import type { HistoryPoint } from './replay';
import type { EventWithTexts, StoredEvent, StreamReader, StreamReaderWithTexts } from '@charter/event-log';

/** A range of revisions, including both ends. Empty if `last` is less than `first`. */
export type RevisionRange = Readonly<{ first: number; last: number }>;
export type ReadOrder = 'oldest' | 'newest';

/**
 * The existing revisions between two moments or revisions, including both ends.
 * @param newest the stream's last revision
 */
export async function revisionRangeOf(
  log: StreamReader,
  stream: string,
  newest: number,
  {
    from = { revision: 0 },
    to = { revision: newest },
  }: Readonly<{ from?: HistoryPoint | undefined; to?: HistoryPoint | undefined }>,
): Promise<RevisionRange> {
  return {
    first: 'revision' in from ? from.revision : await countEventsBy(log, stream, newest, from.moment, 'excluded'),
    last:
      'revision' in to
        ? Math.min(to.revision, newest)
        : (await countEventsBy(log, stream, newest, to.moment, 'included')) - 1,
  };
}

/** Reads the events whose revisions are in a range. */
export function readRevisionRange(
  log: StreamReader,
  stream: string,
  range: RevisionRange,
  order: ReadOrder,
): AsyncIterable<StoredEvent> {
  return isEmpty(range) ? noEvents() : log.readStream(stream, readOptions(range, order));
}

/** Reads the events of a range in pages, with the stored texts if the adapter has them. */
export function readRevisionRangeWithTexts(
  log: StreamReaderWithTexts,
  stream: string,
  range: RevisionRange,
  order: ReadOrder,
): AsyncIterable<readonly EventWithTexts[]> {
  return isEmpty(range) ? noEvents() : pagesWithTexts(log, stream, readOptions(range, order));
}

const isEmpty = ({ first, last }: RevisionRange) => last < first;

const readOptions = ({ first, last }: RevisionRange, order: ReadOrder) => ({
  ...(order === 'oldest'
    ? ({ from: BigInt(first), direction: 'forwards' } as const)
    : ({ from: BigInt(last), direction: 'backwards' } as const)),
  maxCount: last - first + 1,
});

async function* noEvents(): AsyncGenerator<never, void> {}

/** Conditions on the fields of an event. An absent condition accepts every event. */
export type EventFields = Readonly<{
  types?: readonly string[] | undefined;
  /** Event types that the event must not have. */
  notTypes?: readonly string[] | undefined;
  /** The id or the kind of the actor that the event must have. */
  actor?: string | undefined;
  correlation?: string | undefined;
}>;

/** Filters events by their type and metadata. An event with unreadable metadata has no actor and no correlation. */
export function eventFilter({ types, notTypes, actor, correlation }: EventFields): (event: StoredEvent) => boolean {
  const wanted = types && new Set(types);
  const unwanted = new Set(notTypes);
  return (event) => {
    if (wanted?.has(event.type) === false || unwanted.has(event.type)) return false;
    const known = metadataOf(event);
    if (correlation !== undefined && known.correlation !== correlation) return false;
    return actor === undefined || known.actor?.kind === actor || known.actor?.id === actor;
  };
}
