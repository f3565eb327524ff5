import { LogError } from './errors';
import type { StoredEvent } from './port';

/**
 * An event whose content is not JSON, as other tools may have written it. Where it lies can be told, so that a reader gets
 * past it; whoever looks at its content gets a LogError `internal` that names it (`event-log.md` B).
 */
export function unreadableEvent(event: Omit<StoredEvent, 'data' | 'metadata'>, cause?: unknown): StoredEvent {
  const get = (): never => {
    throw new LogError('internal', `Event ${event.revision} of ${event.stream} is not JSON.`, { cause });
  };
  return Object.defineProperties({ ...event }, { data: { get }, metadata: { get } }) as StoredEvent;
}
