import { abortableRead, contentOf, metadataOf, type StoredEvent } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { LRUCache } from 'lru-cache';
import type { Charter } from '../../charter';

/** The owner of an id in a history: a present or former member, another account that acted, or an API key. */
type NamedKind = 'member' | 'account' | 'key';
export type NamedIds = ReadonlyMap<string, NamedKind>;

/** Finds the ids of members, accounts and keys that the events of an organization name. */
export type NamedIdsReader = Readonly<{
  /** Undefined if the organization does not exist. @throws UnreadableStream; the reason of `gone` */
  read: (id: string, gone?: AbortSignal) => Promise<NamedIds | undefined>;
  /** The number of events that `read` would read. */
  distance: (id: string) => Promise<number>;
}>;

/**
 * The ids up to an event, with the hash of that event. In another history, the event at this revision has another hash.
 */
type Reached = Readonly<{ revision: number; hash: unknown; ids: NamedIds }>;

/** The maximum number of ids in the cache, of all histories together. An id takes some 100 bytes. */
const IDS_MAX = 200_000;

/** The reader caches the ids of each history and reads only the newer events, because events never change. */
export function createNamedIdsReader({ log, organizations }: Pick<Charter, 'log' | 'organizations'>): NamedIdsReader {
  const histories = new LRUCache<string, Reached>({ maxSize: IDS_MAX, sizeCalculation: ({ ids }) => ids.size + 1 });
  const headOf = (stream: string) => organizations.query(stream, ({ revision }) => revision);

  /**
   * Adds the ids in newer events to the `known` ids. Undefined if the log does not contain the last event of `known`,
   * because another log replaced the log.
   */
  const continued = async (stream: string, known: Reached | undefined, gone?: AbortSignal) => {
    const ids = new Map(known?.ids);
    let [revision, hash]: [number, unknown] = [-1, undefined];
    const from = BigInt(known?.revision ?? 0);
    for await (const event of abortableRead(log, gone).readStream(stream, { from })) {
      ({ hash } = metadataOf(event));
      if (revision === -1 && known && hash !== known.hash) return undefined;
      revision = Number(event.revision);
      note(ids, event);
    }
    return revision === -1 ? undefined : { revision, hash, ids };
  };

  return {
    read: async (id, gone) => {
      const stream = organizationStream(id);
      if ((await headOf(stream)) < 0) return undefined;
      const known = histories.get(stream);
      const reached = (known && (await continued(stream, known, gone))) ?? (await continued(stream, undefined, gone));
      if (!reached) return undefined;
      histories.set(stream, reached);
      return reached.ids;
    },
    distance: async (id) => {
      const stream = organizationStream(id);
      return (await headOf(stream)) - (histories.get(stream)?.revision ?? -1);
    },
  };
}

/** Adds the ids of the actor and of an added member. If the actor is a known member, the id keeps the kind `member`. */
function note(ids: Map<string, NamedKind>, event: StoredEvent): void {
  const { actor } = metadataOf(event);
  const { member } = (contentOf(event)?.data ?? {}) as { member?: unknown };
  if ((actor?.kind === 'account' || actor?.kind === 'key') && !ids.has(actor.id)) ids.set(actor.id, actor.kind);
  if (event.type === 'MemberAdded' && typeof member === 'string') ids.set(member, 'member');
}
