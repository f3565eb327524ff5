import type { StoredEvent } from '@charter/event-log';
import type { HistoryEventAnswer, StoredEventAnswer } from './history.answers';

/**
 * An event in lists and feeds. The answer contains all metadata of the event, so that a reader can compute the event's
 * hash (`api.md`, Shapes).
 */
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
  data: data as StoredEventAnswer['data'], // Charter checked the form of data and metadata before the append
  metadata: metadata as StoredEventAnswer['metadata'],
});

/**
 * An event of a history, marked if it repeats a sale that was in force.
 * @param repetitions for the revision of each event that repeats a sale in force, the revision that it repeats
 */
export function printedHistoryEvent(event: StoredEvent, repetitions: ReadonlyMap<number, number>): HistoryEventAnswer {
  const repeats = repetitions.get(Number(event.revision));
  return { ...printedEvent(event), ...(repeats !== undefined && { repeats }) };
}
