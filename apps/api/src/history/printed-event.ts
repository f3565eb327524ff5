import type { StoredEvent } from '@charter/event-log';
import type { HistoryEventAnswer, StoredEventAnswer } from './history.answers';

/** An event in lists and feeds. It has all its metadata, so that a reader can compute its hash (`api.md`, Shapes). */
export const printedEvent = ({
  id,
  type,
  stream,
  revision,
  position,
  data,
  metadata,
}: StoredEvent): StoredEventAnswer => ({
  id,
  type,
  stream,
  revision: Number(revision),
  position,
  data: data as StoredEventAnswer['data'], // the append has checked that both have the form that Charter writes
  metadata: metadata as StoredEventAnswer['metadata'],
});

/**
 * An event of a history, marked if it repeats a sale that was in force.
 * @param repetitions the revisions of all repetitions, each with the revision that it repeats
 */
export function printedHistoryEvent(event: StoredEvent, repetitions: ReadonlyMap<number, number>): HistoryEventAnswer {
  const repeats = repetitions.get(Number(event.revision));
  return { ...printedEvent(event), ...(repeats !== undefined && { repeats }) };
}
