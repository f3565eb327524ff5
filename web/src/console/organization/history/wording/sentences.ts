import { isEventTypeName, type SentenceWords, sentenceValues } from './event-types';

/** The fields of an event that its sentence needs. The data of an unreadable event is null. */
export type DescribedEvent = Readonly<{ type: string; data: unknown }>;

/**
 * The event as a sentence. If the page does not know the event type or cannot read the data, the text is only the name
 * of the type.
 */
export function sentenceInWords({ type, data }: DescribedEvent, words: SentenceWords): string {
  const { text, has } = words;
  const kind = has(`event.${type}`) ? text(`event.${type}`) : type;
  if (!isEventTypeName(type) || !has(`sentence.${type}`) || typeof data !== 'object' || data === null) return kind;
  try {
    return text(`sentence.${type}`, sentenceValues(type, data, words));
  } catch {
    return kind; // another tool wrote the event, with data that the type does not have
  }
}
