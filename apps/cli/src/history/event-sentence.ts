import type { Metadata, Moment } from '@charter/decider';
import type { StoredEvent } from '@charter/event-log';
import { isEventType, type OrganizationEvent, sentenceOf } from '@charter/organization';

/**
 * An event in words, and from when on it holds where that is not when it was recorded. What this release does not know, or
 * cannot read, is shown as it is.
 */
export function eventSentence(event: StoredEvent): string {
  const { type, data } = event;
  const { schema = 1, at } = metadataOf(event);
  if (!isEventType(type) || schema > 1) return asItIs(event);
  try {
    const { effectiveAt } = data as { effectiveAt?: Moment };
    const since = effectiveAt === undefined || effectiveAt === at ? '' : `, in force from ${effectiveAt}`;
    return `${sentenceOf({ type, data } as OrganizationEvent)}${since}`; // what is stored is what was appended, or throws
  } catch {
    return asItIs(event);
  }
}

/** What an event carries beside its data; of a foreign one perhaps nothing. */
export const metadataOf = ({ metadata }: Pick<StoredEvent, 'metadata'>): Partial<Metadata> =>
  typeof metadata === 'object' && metadata !== null ? metadata : {};

/** Who recorded it, such as `account 7d…`. */
export function actorText(actor: Metadata['actor'] | null | undefined): string {
  if (!actor) return '-';
  return actor.kind === 'system' ? actor.id : `${actor.kind} ${actor.id}`;
}

/** Who recorded it; of what a payment provider says, the provider's own id of the message, by which it can be looked up there. */
export function recorderOf(event: StoredEvent): string {
  const { actor, causation } = metadataOf(event);
  return `${actorText(actor)}${actor?.kind === 'billing' && causation !== undefined ? `, message ${causation}` : ''}`;
}

const asItIs = ({ type, data }: StoredEvent) => `${type} ${JSON.stringify(data)}`;
