import { isLogError } from '../errors';
import { type EventLog, EMPTY_LOG_POSITION, type Position, type StoredEvent } from '../port';

/**
 * Reads from a position on that another store may have given (`event-log.md` A5). If no event begins there, it reads
 * the whole log, and the caller skips the events that it has seen.
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
