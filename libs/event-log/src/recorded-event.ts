import type { Message, Metadata, Recorded } from '@charter/decider';
import type { StoredEvent } from './port';

export type Upcasting<Event extends Message> = Readonly<{
  /** Turns an event of an older schema into the newest one. Pure; `evolve` knows only the newest schema. */
  upcast?: (event: Recorded<Message>) => Recorded<Event>;
}>;

/**
 * A stored event as `fold` takes it: the revision as a number, the data in the newest schema.
 * @throws Error for an event of another schema if there is no `upcast`: newer code wrote it, and this code must not
 * guess
 */
export function recordedEvent<Event extends Message>(
  { upcast }: Upcasting<Event>,
  { type, data, metadata, revision }: StoredEvent,
): Recorded<Event> {
  // The form of the data is not checked here. Data of another form throws in the fold, and the projector parks the
  // stream.
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
