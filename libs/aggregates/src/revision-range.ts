import type { Metadata } from '@charter/decider';
import { countEventsBy } from '@charter/event-log';
import type { HistoryPoint } from './replay';
import type { StoredEvent, StreamReader } from '@charter/event-log';

/** A part of a stream: from a revision to a revision, both included. Empty when the last is before the first. */
export type RevisionRange = Readonly<{ first: number; last: number }>;
export type ReadOrder = 'oldest' | 'newest';

/**
 * What lies between two moments or revisions, both included; what lies before the first event or behind the last is not there.
 * @param newest the stream's newest revision
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

/** Reads a part of a stream, and nothing else of it. */
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

/** Whether an event is of one of these types, and by this actor: an id, or a kind. */
export function eventFilter(types: readonly string[] | undefined, actor: string | undefined) {
  const typed = types && new Set(types);
  return ({ type, metadata }: StoredEvent): boolean => {
    if (typed && !typed.has(type)) return false;
    if (actor === undefined) return true;
    const by = (metadata as Partial<Metadata> | null | undefined)?.actor;
    return by?.kind === actor || by?.id === actor;
  };
}
