import type { Message, Metadata, Recorded } from '@charter/decider';
import type { StoredEvent } from './port';

export type Upcasting<Event extends Message> = Readonly<{
  /**
   * Converts an event of an older schema into the newest schema. A pure function; `evolve` handles only the newest
   * schema.
   */
  upcast?: (event: Recorded<Message>) => Recorded<Event>;
}>;

/**
 * A stored event in the form that `fold` takes: the revision is a number, and the data has the newest schema.
 * @throws Error if there is no `upcast` and the schema is not 1, because newer code wrote the event
 */
export function recordedEvent<Event extends Message>(
  { upcast }: Upcasting<Event>,
  { type, data, metadata, revision }: StoredEvent,
): Recorded<Event> {
  // The data's shape is not checked here: an event of another shape throws in the fold, and the projector parks it.
  const recorded = {
    type,
    data: data as object,
    metadata: metadata as Metadata,
    revision: Number(revision),
  };
  if (upcast) return upcast(recorded);
  if (recorded.metadata.schema > 1)
    throw new Error(`Its shape, schema ${recorded.metadata.schema}, is newer than this code.`);
  return recorded as Message as Recorded<Event>;
}
