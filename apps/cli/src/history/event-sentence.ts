import type { Metadata, Moment } from '@charter/decider';
import { contentOf, metadataOf, type StoredEvent } from '@charter/event-log';
import { isEventType, type OrganizationEvent, sentenceOf } from '@charter/organization';

/**
 * An event as a sentence, with its `effectiveAt` if Charter recorded the event at another moment. If this release does
 * not know or cannot read the event, returns the event as JSON.
 */
export function eventSentence(event: StoredEvent): string {
  const { type } = event;
  const data = contentOf(event)?.data;
  const { schema = 1, at } = metadataOf(event);
  if (!isEventType(type) || schema > 1) return asItIs(event);
  try {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    const since = effectiveAt === undefined || effectiveAt === at ? '' : `, in force from ${effectiveAt}`;
    // A stored event normally has the shape of its type. If an event has another shape, this line throws.
    return `${sentenceOf({ type, data } as OrganizationEvent)}${since}`;
  } catch {
    return asItIs(event);
  }
}

/** The actor as text, for example `account 7d…`. */
export function actorText(actor: Metadata['actor'] | null | undefined): string {
  if (!actor) return '-';
  return actor.kind === 'system' ? actor.id : `${actor.kind} ${actor.id}`;
}

/**
 * The actor that recorded the event. If billing recorded the event, the text also contains the id that the provider
 * gave to the message.
 */
export function recorderOf(event: StoredEvent): string {
  const { actor, causation } = metadataOf(event);
  return `${actorText(actor)}${actor?.kind === 'billing' && causation !== undefined ? `, message ${causation}` : ''}`;
}

const asItIs = (event: StoredEvent) => {
  const content = contentOf(event);
  return `${event.type} ${content ? JSON.stringify(content.data) : '(not JSON)'}`;
};
