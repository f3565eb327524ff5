import type { DataFlaw, Evolution, Message, Metadata, Recorded } from '@charter/decider';
import type { EventToFold } from './port';

export type Upcasting<Event extends Message> = Pick<Evolution<never, Event>, 'flawOf'> &
  Readonly<{
    /**
     * Converts an event of an older schema to the newest schema, because `evolve` and `flawOf` support only the newest
     * schema. The function must be pure.
     */
    upcast?: (event: Recorded<Message>) => Recorded<Event>;
  }>;

/**
 * Converts a stored event for `fold`: the revision becomes a number, and the data is checked and has the newest schema.
 * @throws Error if newer code wrote the event (the schema is above 1, and there is no `upcast`), or if another program
 * or an import wrote data that is not valid
 */
export function recordedEvent<Event extends Message>(
  { upcast, flawOf }: Upcasting<Event>,
  { type, data, metadata, revision }: EventToFold,
): Recorded<Event> {
  const recorded = {
    type,
    data: data as object,
    metadata: metadata as Metadata,
    revision: Number(revision),
  };
  if (!upcast && recorded.metadata.schema > 1)
    throw new Error(`Its schema ${recorded.metadata.schema} is newer than this code.`);
  const newest = upcast ? upcast(recorded) : (recorded as Message as Recorded<Event>);
  const flaw = flawOf?.(newest);
  if (flaw) throw new Error(`Its data is not valid: ${flawText(flaw)}`);
  return newest;
}

/** The text of a flaw. Another program may have chosen long names of fields, so the text has a maximum length. */
const flawText = ({ path, message }: DataFlaw) => `${path.join('.') || 'data'}: ${message}`.slice(0, FLAW_MAX);

const FLAW_MAX = 200;
