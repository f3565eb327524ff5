import { isLogError } from '../errors';
import { type EventLog, EMPTY_LOG_POSITION, type Position, type StoredEvent } from '../port';

/**
 * Reads the log from a position, which may come from another store (`event-log.md` A5). If no event begins at that
 * position, reads the whole log. The caller then skips the events that it has already read.
 */
export async function* readSince(
  log: Pick<EventLog, 'readAll'>,
  position: Position,
  streamPrefixes: readonly string[],
): AsyncGenerator<StoredEvent, void, undefined> {
  try {
    yield* log.readAll({ from: position === EMPTY_LOG_POSITION ? 'start' : position, streamPrefixes });
  } catch (error) {
    if (!isLogError(error, 'invalid-position')) throw error;
    yield* log.readAll({ streamPrefixes });
  }
}
