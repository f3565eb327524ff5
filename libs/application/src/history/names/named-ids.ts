import { contentOf, metadataOf, type StoredEvent } from '@charter/event-log';
import type { Charter } from '../../charter';
import { createEventNotes, type EventNotes } from '../event-notes';

/**
 * The kind of thing that an id in a history identifies: a present or former member, another account that acted, or an
 * API key.
 */
type NamedKind = 'member' | 'account' | 'key';
export type NamedIds = ReadonlyMap<string, NamedKind>;

/** Finds the ids of members, accounts and keys that the events of an organization name. */
export type NamedIdsReader = EventNotes<NamedIds>;

/** The maximum number of ids in the cache, of all histories together. An id takes some 100 bytes. */
const IDS_MAX = 200_000;

export const createNamedIdsReader = (stores: Pick<Charter, 'log' | 'organizations'>): NamedIdsReader =>
  createEventNotes<Map<string, NamedKind>>(stores, {
    begin: (known) => new Map(known),
    add: note,
    sizeOf: ({ size }) => size,
    sizeMax: IDS_MAX,
  });

/** Adds the ids of the actor and of an added member. If the actor is a known member, the id keeps the kind `member`. */
function note(ids: Map<string, NamedKind>, event: StoredEvent): void {
  const { actor } = metadataOf(event);
  const { member } = (contentOf(event)?.data ?? {}) as { member?: unknown };
  if ((actor?.kind === 'account' || actor?.kind === 'key') && !ids.has(actor.id)) ids.set(actor.id, actor.kind);
  if (event.type === 'MemberAdded' && typeof member === 'string') ids.set(member, 'member');
}
