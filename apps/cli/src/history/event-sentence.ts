import type { Metadata, Moment } from '@charter/decider';
import type { StoredEvent } from '@charter/event-log';
import { isEventType, type OrganizationEvent, sentenceOf } from '@charter/organization';

/**
 * An event as a sentence, with its `effectiveAt` where that differs from the time of recording. An event that this
 * release does not know or cannot read is printed as JSON.
 */
export function eventSentence(event: StoredEvent): string {
  const { type, data } = event;
  const { schema = 1, at } = metadataOf(event);
  if (!isEventType(type) || schema > 1) return asItIs(event);
  try {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    const since = effectiveAt === undefined || effectiveAt === at ? '' : `, in force from ${effectiveAt}`;
    // A stored event has the shape of its type; any other shape throws below.
    return `${sentenceOf({ type, data } as OrganizationEvent)}${since}`;
  } catch {
    return asItIs(event);
  }
}

/** The metadata of an event. An event that Charter did not write may have none. */
export const metadataOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): Partial<Metadata> =>
  typeof metadata === 'object' && metadata !== null ? metadata : {};

/** The actor, such as `account 7d…`. */
export function actorText(actor: Metadata['actor'] | null | undefined): string {
  if (!actor) return '-';
  return actor.kind === 'system' ? actor.id : `${actor.kind} ${actor.id}`;
}

/** The actor that recorded the event. For a billing message, also the provider's id of the message. */
export function recorderOf(event: StoredEvent): string {
  const { actor, causation } = metadataOf(event);
  return `${actorText(actor)}${actor?.kind === 'billing' && causation !== undefined ? `, message ${causation}` : ''}`;
}

const asItIs = ({ type, data }: StoredEvent) => `${type} ${JSON.stringify(data)}`;
