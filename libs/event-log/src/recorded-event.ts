import type { Message, Metadata, Recorded } from '@charter/decider';
import type { StoredEvent } from './port';

export type Upcasting<Event extends Message> = Readonly<{
  /** Lifts an event to the newest shape. Pure; `evolve` knows no other shape. */
  upcast?: (event: Recorded<Message>) => Recorded<Event>;
}>;

/**
 * A stored event as `fold` takes it: its place in its stream as a number, its shape the newest.
 * @throws without an `upcast`, at any shape but the first: what newer code wrote must not be guessed at
 */
export function recordedEvent<Event extends Message>(
  { upcast }: Upcasting<Event>,
  { type, data, metadata, revision }: StoredEvent,
): Recorded<Event> {
  // The shape is not checked here: an event with another shape throws while it is folded, and the projector parks it.
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
