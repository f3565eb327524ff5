import { abortableRead, metadataOf, type StoredEvent } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { LRUCache } from 'lru-cache';
import type { Charter } from '../charter';

/**
 * Collects notes about all events of a history, for example the ids that the events name. If the history has new
 * events, a later read adds notes about these events.
 */
export type EventNotes<Notes> = Readonly<{
  /** Undefined if the organization does not exist. @throws UnreadableStream; the reason of `gone` */
  read: (id: string, gone?: AbortSignal) => Promise<Notes | undefined>;
  /** The number of events that `read` would read. */
  distance: (id: string) => Promise<number>;
}>;

type NotesOptions<Notes> = Readonly<{
  /** Returns new notes, or a copy of the `known` notes. `add` may change the result. */
  begin: (known: Notes | undefined) => Notes;
  add: (notes: Notes, event: StoredEvent) => void;
  sizeOf: (notes: Notes) => number;
  /** The maximum size of all notes in the cache. */
  sizeMax: number;
}>;

/**
 * The notes up to an event, with the hash of that event. The hash shows whether the log still contains this event:
 * after a restore, another event can have this revision.
 */
type Reached<Notes> = Readonly<{ revision: number; hash: unknown; notes: Notes }>;

/** Caches the notes of each history and reads only the newer events, because events never change. */
export function createEventNotes<Notes extends object>(
  { log, organizations }: Pick<Charter, 'log' | 'organizations'>,
  { begin, add, sizeOf, sizeMax }: NotesOptions<Notes>,
): EventNotes<Notes> {
  const histories = new LRUCache<string, Reached<Notes>>({
    maxSize: sizeMax,
    sizeCalculation: ({ notes }) => sizeOf(notes) + 1,
  });
  const headOf = (stream: string) => organizations.query(stream, ({ revision }) => revision);

  /**
   * Adds notes about newer events to the `known` notes. Undefined if the log does not contain the last event of
   * `known`, because another log has replaced this log.
   */
  const continued = async (stream: string, known: Reached<Notes> | undefined, gone?: AbortSignal) => {
    let notes: Notes | undefined; // a copy can be large, so only new events cause a copy
    let [revision, hash]: [number, unknown] = [-1, undefined];
    const from = BigInt(known?.revision ?? 0);
    for await (const event of abortableRead(log, gone).readStream(stream, { from })) {
      ({ hash } = metadataOf(event));
      if (revision === -1 && known) {
        if (hash !== known.hash) return undefined;
        revision = known.revision;
        continue;
      }
      revision = Number(event.revision);
      notes ??= begin(known?.notes);
      add(notes, event);
    }
    return revision === -1 ? undefined : { revision, hash, notes: notes ?? known!.notes };
  };

  return {
    read: async (id, gone) => {
      const stream = organizationStream(id);
      if ((await headOf(stream)) < 0) return undefined;
      const known = histories.get(stream);
      const reached = (known && (await continued(stream, known, gone))) ?? (await continued(stream, undefined, gone));
      if (!reached) return undefined;
      histories.set(stream, reached);
      return reached.notes;
    },
    distance: async (id) => {
      const stream = organizationStream(id);
      return (await headOf(stream)) - (histories.get(stream)?.revision ?? -1);
    },
  };
}
