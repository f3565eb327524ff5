import { metadataOf, type StoredEvent } from '@charter/event-log';

/**
 * Contains the events that only repeat a sale in force. The map's key is the revision of such an event, and the value
 * is the revision of the repeated event.
 */
export type Repetitions = ReadonlyMap<number, number>;

/** The remark after the sentence of an event that repeats a sale in force; empty for any other event. */
export function repetitionMark(event: StoredEvent, repetitions: Repetitions): string {
  const repeats = repetitions.get(Number(event.revision));
  if (repeats === undefined) return '';
  const { actor } = metadataOf(event);
  return actor?.kind === 'billing' ? ` (revision ${repeats}, confirmed by billing)` : ` (repeats revision ${repeats})`;
}
