import type { Metadata } from '@charter/decider';
import { countEventsBy } from '@charter/event-log';
import type { HistoryPoint } from './replay';
import type { StoredEvent, StreamReader } from '@charter/event-log';

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

/** Reads only the events of a range. */
export async function* readRevisionRange(
  log: StreamReader,
  stream: string,
  { first, last }: RevisionRange,
  order: ReadOrder,
): AsyncGenerator<StoredEvent, void, undefined> {
  const maxCount = last - first + 1;
  if (maxCount <= 0) return;
  const where =
    order === 'oldest'
      ? ({ from: BigInt(first), direction: 'forwards' } as const)
      : ({ from: BigInt(last), direction: 'backwards' } as const);
  yield* log.readStream(stream, { ...where, maxCount });
}

/** Filters events by their type and by their actor's id or kind. */
export function eventFilter(types: readonly string[] | undefined, actor: string | undefined) {
  const typeSet = types && new Set(types);
  return ({ type, metadata }: StoredEvent): boolean => {
    if (typeSet && !typeSet.has(type)) return false;
    if (actor === undefined) return true;
    const eventActor = (metadata as Partial<Metadata> | null | undefined)?.actor;
    return eventActor?.kind === actor || eventActor?.id === actor;
  };
}
