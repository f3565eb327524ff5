import type { Metadata, Moment } from '@charter/decider';
import type { StoredEvent } from '@charter/event-log';
import { isEventType, type OrganizationEvent, sentenceOf } from '@charter/organization';

/**
 * An event as a sentence, with its `effectiveAt` if that is not the moment when it was recorded. If this release does
 * not know or cannot read the event, it is printed as JSON.
 */
export function eventSentence(event: StoredEvent): string {
  const { type, data } = event;
  const { schema = 1, at } = metadataOf(event);
  if (!isEventType(type) || schema > 1) return asItIs(event);
  try {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    const since = effectiveAt === undefined || effectiveAt === at ? '' : `, in force from ${effectiveAt}`;
    // A stored event normally has the shape of its type. For any other shape, this line throws.
    return `${sentenceOf({ type, data } as OrganizationEvent)}${since}`;
  } catch {
    return asItIs(event);
  }
}

/** The metadata of an event. An event that Charter did not write may have no metadata. */
export const metadataOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): Partial<Metadata> =>
  typeof metadata === 'object' && metadata !== null ? metadata : {};

/** The actor as text, for example `account 7d…`. */
export function actorText(actor: Metadata['actor'] | null | undefined): string {
  if (!actor) return '-';
  return actor.kind === 'system' ? actor.id : `${actor.kind} ${actor.id}`;
}

/** The actor that recorded the event. If billing recorded it, also the id that the provider gave to the message. */
export function recorderOf(event: StoredEvent): string {
  const { actor, causation } = metadataOf(event);
  return `${actorText(actor)}${actor?.kind === 'billing' && causation !== undefined ? `, message ${causation}` : ''}`;
}

const asItIs = ({ type, data }: StoredEvent) => `${type} ${JSON.stringify(data)}`;
