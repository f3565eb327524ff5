import {
  contentOf,
  type EventTexts,
  type EventWithTexts,
  hasMetadata,
  parseEventText,
  type StoredEvent,
} from '@charter/event-log';
import { auditFactFlaw } from '@charter/identity';
import { eventFlaw, organizationStreamPrefix } from '@charter/organization';
import { isPlainMetadata, isSafeToCopy } from './safe-to-copy';
import type { HistoryEventAnswer, StoredEventAnswer } from './history.answers';

/**
 * Prints an event for lists of events and for change feeds. The answer contains all metadata of the event, so that a
 * reader can compute the event's hash (`api.md`, Shapes). The answer marks an event that Charter cannot read because
 * another tool wrote it.
 */
export function printedEvent(event: StoredEvent): StoredEventAnswer {
  const { id, type, stream, revision, position } = event;
  return {
    ...{ id, type, stream, revision: Number(revision), position, data: objectOrNull(contentOf(event)?.data) },
    metadata: hasMetadata(event) ? (event.metadata as StoredEventAnswer['metadata']) : null,
    ...(isUnreadable(event) && { unreadable: true as const }),
  };
}

/** Whether an event lacks Charter's metadata, or its data do not fit its type. Charter writes no such event. */
function isUnreadable(event: StoredEvent): boolean {
  return !hasMetadata(event) || !hasDataOfType(event);
}

/** Whether the data fit the event's type, or are an object if this code does not know the type. */
function hasDataOfType({ type, stream, data }: Pick<StoredEvent, 'type' | 'stream' | 'data'>): boolean {
  const fields = objectOrNull(data);
  const flawOf = stream.startsWith(organizationStreamPrefix) ? eventFlaw : auditFactFlaw;
  return fields !== null && flawOf({ type, data: fields }) === undefined;
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

/**
 * Prints an event of an organization's history as a line of JSON. Copies the stored texts of the event if `canCopy`
 * allows it, because parsing the metadata and serializing the event is slow. Otherwise, or if the store returned
 * no texts, serializes the event.
 * @param repetitions as for `printedHistoryEvent`
 */
export function historyEventLine(item: EventWithTexts, repetitions: ReadonlyMap<number, number>): string {
  const { id, type, stream, revision, position, texts } = item;
  if (!texts || !canCopy(texts, item)) return JSON.stringify(printedHistoryEvent(item.event, repetitions));
  const repeats = repetitions.get(revision);
  const head = `"id":"${id}","type":${JSON.stringify(type)},"stream":${JSON.stringify(stream)},"revision":${revision}`;
  const tail = repeats === undefined ? '' : `,"repeats":${repeats}`;
  return `{${head},"position":"${position}","data":${texts.data},"metadata":${texts.metadata}${tail}}`;
}

/**
 * Whether a line can contain the stored texts of an event unchanged. Another tool can write a text with
 * a line break, which would split the line, or with a repeated field. The event's hash covers only the last value of
 * this field, but a copy would contain all values.
 */
function canCopy({ data: json, metadata }: EventTexts, { type, stream }: EventWithTexts): boolean {
  if (!isPlainMetadata(metadata)) return false;
  const data = parsedOrUndefined(json);
  return hasDataOfType({ type, stream, data }) && isSafeToCopy(json, data);
}

function parsedOrUndefined(json: string): unknown {
  try {
    return parseEventText(json);
  } catch {
    return undefined; // another tool wrote a text that is not JSON or has too many levels
  }
}
