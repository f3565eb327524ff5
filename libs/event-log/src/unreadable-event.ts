import { LogError } from './errors';
import type { StoredEvent } from './port';

/**
 * An event whose content is not JSON, because another tool wrote it. A reader can read its stream, revision and
 * position, and continue after the event. The event's `data` and `metadata` throw a LogError `internal` that names the
 * event (`event-log.md` B).
 */
export function unreadableEvent(event: Omit<StoredEvent, 'data' | 'metadata'>, cause?: unknown): StoredEvent {
  const get = (): never => {
    throw new LogError('internal', `Event ${event.revision} of ${event.stream} is not JSON.`, { cause });
  };
  return Object.defineProperties({ ...event }, { data: { get }, metadata: { get } }) as StoredEvent;
}
