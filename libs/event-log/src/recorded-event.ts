import type { DataFlaw, Evolution, Message, Metadata, Recorded } from '@charter/decider';
import type { StoredEvent } from './port';

export type Upcasting<Event extends Message> = Pick<Evolution<never, Event>, 'flawOf'> &
  Readonly<{
    /** Turns an event of an older schema into the newest one. Pure; `evolve` and `flawOf` know only the newest. */
    upcast?: (event: Recorded<Message>) => Recorded<Event>;
  }>;

/**
 * A stored event as `fold` takes it: the revision as a number, the data in the newest schema and checked.
 * @throws Error without an `upcast`, for any schema but 1: newer code wrote it, and this code must not guess. Error for
 * data of another shape, which another writer or an import has brought
 */
export function recordedEvent<Event extends Message>(
  { upcast, flawOf }: Upcasting<Event>,
  { type, data, metadata, revision }: StoredEvent,
): Recorded<Event> {
  const recorded = {
    type,
    data: data as object,
    metadata: metadata as Metadata,
    revision: Number(revision),
  };
  if (!upcast && recorded.metadata.schema > 1)
    throw new Error(`Its shape, schema ${recorded.metadata.schema}, is newer than this code.`);
  const newest = upcast ? upcast(recorded) : (recorded as Message as Recorded<Event>);
  const flaw = flawOf?.(newest);
  if (flaw) throw new Error(`Its data is not valid: ${flawText(flaw)}`);
  return newest;
}

/** Another writer may have chosen the names of fields, so the text is bounded. */
const flawText = ({ path, message }: DataFlaw) => `${path.join('.') || 'data'}: ${message}`.slice(0, FLAW_MAX);

const FLAW_MAX = 200;
