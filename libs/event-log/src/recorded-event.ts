import type { Message, Metadata, Recorded } from '@charter/decider';
import type { StoredEvent } from './port';

export type Upcasting<Event extends Message> = Readonly<{
  /** Turns an event of an older schema into the newest one. Pure; `evolve` knows only the newest schema. */
  upcast?: (event: Recorded<Message>) => Recorded<Event>;
}>;

/**
 * A stored event as `fold` takes it: the revision as a number, the data in the newest schema.
 * @throws Error without an `upcast`, for any schema but 1: newer code wrote it, and this code must not guess
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
