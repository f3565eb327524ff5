import { contentOf, hasMetadata, type StoredEvent } from '@charter/event-log';
import { auditFactFlaw } from '@charter/identity';
import { eventFlaw, organizationStreamPrefix } from '@charter/organization';
import type { HistoryEventAnswer, StoredEventAnswer } from './history.answers';

/**
 * Prints an event for lists of events and for change feeds. The answer contains all metadata of the event, so that a
 * reader can compute the event's hash (`api.md`, Shapes). The answer marks an event that Charter cannot read because
 * another tool wrote it.
 */
export function printedEvent(event: StoredEvent): StoredEventAnswer {
  const { id, type, stream, revision, position } = event;
  const data = objectOrNull(contentOf(event)?.data);
  const flawOf = stream.startsWith(organizationStreamPrefix) ? eventFlaw : auditFactFlaw;
  const isSealed = hasMetadata(event);
  return {
    ...{ id, type, stream, revision: Number(revision), position, data },
    metadata: isSealed ? (event.metadata as StoredEventAnswer['metadata']) : null,
    ...((!isSealed || !data || flawOf({ type, data })) && { unreadable: true as const }),
  };
}

const objectOrNull = (value: unknown): StoredEventAnswer['data'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as StoredEventAnswer['data']) : null;

/**
 * Prints an event of an organization's history. If the event only repeats a sale in force, `repeats` is the revision of
 * the repeated event.
 * @param repetitions for each repeating event: the map's key is the revision of this event, and the value is the
 * revision of the repeated event
 */
export function printedHistoryEvent(event: StoredEvent, repetitions: ReadonlyMap<number, number>): HistoryEventAnswer {
  const repeats = repetitions.get(Number(event.revision));
  return { ...printedEvent(event), ...(repeats !== undefined && { repeats }) };
}
