import type { Moment } from '@charter/decider';
import type { StreamReader, StoredEvent } from '../port';
import { metadataOf } from '../unreadable-event';

/** The last event of a stream; `undefined` if the stream does not exist. */
export async function lastEventOf(log: StreamReader, stream: string): Promise<StoredEvent | undefined> {
  const newest = { direction: 'backwards', maxCount: 1, absent: 'empty' } as const;
  for await (const event of log.readStream(stream, newest)) return event;
  return undefined;
}

/**
 * Counts the events of a stream that were recorded before a moment. Also counts the events at that moment if `is` is
 * `included`. Recorded moments never decrease within a stream. An event of another tool without a moment counts only if
 * a counted event follows it.
 * @param last the last revision to search
 */
export const countEventsBy = (
  log: StreamReader,
  stream: string,
  last: number,
  moment: Moment,
  is: 'included' | 'excluded',
): Promise<number> =>
  countFirstEvents(log, stream, last, (event) => {
    const { at } = metadataOf(event);
    return at === undefined ? undefined : is === 'included' ? at <= moment : at < moment;
  });

/**
 * Counts the events at the beginning of a stream for which `isFirst` is true. `isFirst` must be false for every later
 * event, so a binary search needs only a few reads. If `isFirst` is undefined for an event, the next event decides.
 * @param last the last revision to search
 */
export async function countFirstEvents(
  log: StreamReader,
  stream: string,
  last: number,
  isFirst: (event: StoredEvent) => boolean | undefined,
): Promise<number> {
  let [least, most] = [0, last + 1];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    let decisive = middle;
    let answer = isFirst(await eventAtRevision(log, stream, decisive));
    while (answer === undefined && decisive + 1 < most)
      answer = isFirst(await eventAtRevision(log, stream, (decisive += 1)));
    if (answer) least = decisive + 1;
    else most = middle;
  }
  return least;
}

/** The event of a stream at a revision. @throws Error if the stream is shorter */
export async function eventAtRevision(log: StreamReader, stream: string, revision: number): Promise<StoredEvent> {
  for await (const event of log.readStream(stream, { from: BigInt(revision), maxCount: 1 })) return event;
  throw new Error(`The stream ${stream} has no revision ${revision}.`);
}
