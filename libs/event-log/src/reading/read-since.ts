import { isLogError } from '../errors';
import { type EventLog, EMPTY_LOG_POSITION, type Position, type StoredEvent } from '../port';

/**
 * Everything from a position on that nobody vouches for (`event-log.md` A5): where no event begins there, all is read, so
 * whoever asks passes over what came before.
 */
export async function* readSince(
  log: Pick<EventLog, 'readAll'>,
  position: Position,
  streamPrefixes: readonly string[],
): AsyncGenerator<StoredEvent, void, undefined> {
  try {
    yield* log.readAll({ from: position === EMPTY_LOG_POSITION ? 'start' : position, streamPrefixes });
  } catch (why) {
    if (!isLogError(why, 'invalid-position')) throw why;
    yield* log.readAll({ streamPrefixes });
  }
}
