import type { Metadata } from '@charter/decider';
import { isLogError, LogError } from './errors';
import type { EventToFold, StoredEvent } from './port';

/**
 * An event whose content is not JSON, because another tool wrote it. A reader can read the event's stream, revision and
 * position, and continue with the next event. The event's `data` and `metadata` throw a LogError `internal` that names
 * the event (`event-log.md` B).
 */
export function unreadableEvent(event: Omit<StoredEvent, 'data' | 'metadata'>, cause?: unknown): StoredEvent {
  const get = (): never => {
    throw notJson(event, cause);
  };
  return Object.defineProperties({ ...event }, { data: { get }, metadata: { get } }) as StoredEvent;
}

/** The error of an access to content that is not JSON. */
export const notJson = ({ revision, stream }: Pick<EventToFold, 'revision' | 'stream'>, cause: unknown): LogError =>
  new LogError('internal', `Event ${revision} of ${stream} is not JSON.`, { cause });

/** The stored data and metadata of an event; undefined if they are not JSON. */
export function contentOf(event: StoredEvent): Pick<StoredEvent, 'data' | 'metadata'> | undefined {
  try {
    const { data, metadata } = event;
    return { data, metadata };
  } catch (error) {
    if (isLogError(error, 'internal')) return undefined;
    throw error;
  }
}

/**
 * The metadata of an event; empty if another tool wrote the event without metadata, or with content that is not JSON.
 */
export function metadataOf(event: StoredEvent): Partial<Metadata> {
  const metadata = contentOf(event)?.metadata;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}

/** Whether an event has the metadata that Charter writes. */
export function hasMetadata(event: StoredEvent): boolean {
  const { command, at, hash, actor } = metadataOf(event) as Readonly<Record<keyof Metadata, unknown>>;
  const texts = [command, at, hash].every((text) => typeof text === 'string');
  return texts && typeof actor === 'object' && actor !== null;
}
