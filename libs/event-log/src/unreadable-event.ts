import type { Metadata } from '@charter/decider';
import { isLogError, LogError } from './errors';
import type { EventToFold, StoredEvent } from './port';

/**
 * The maximum depth of the data and metadata of a readable event. Charter writes at most some 40 levels. JSON of other
 * tools can have any depth, but code that copies or prints a value of some 5,000 levels exceeds the call stack.
 */
export const EVENT_DEPTH_MAX = 1_000;

/** The content of an event has more than `EVENT_DEPTH_MAX` levels. */
class TooDeep extends Error {}

/**
 * Parses the JSON text of the data or metadata of an event.
 * @throws SyntaxError if the text is not JSON; an error if it has too many levels
 */
export function parseEventText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // each level needs two brackets, so most texts are too short for so many levels
  if (text.length > 2 * EVENT_DEPTH_MAX) refuseTooDeep(value);
  return value;
}

/** @throws an error if the content of an event has too many levels */
export function refuseTooDeep(content: unknown): void {
  if (isDeeper(content, EVENT_DEPTH_MAX))
    throw new TooDeep(`The content of the event has more than ${EVENT_DEPTH_MAX} levels.`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * An event whose content is not JSON or has too many levels, because another tool wrote it. A reader can read the
 * event's stream, revision and position, and continue with the next event. The event's `data` and `metadata` throw a
 * LogError `internal` that names the event (`event-log.md` B).
 */
export function unreadableEvent(event: Omit<StoredEvent, 'data' | 'metadata'>, cause?: unknown): StoredEvent {
  const get = (): never => {
    throw notReadable(event, cause);
  };
  return Object.defineProperties({ ...event }, { data: { get }, metadata: { get } }) as StoredEvent;
}

/** The error of an access to content that is not JSON or has too many levels. */
export function notReadable({ revision, stream }: Pick<EventToFold, 'revision' | 'stream'>, cause: unknown): LogError {
  const flaw = cause instanceof TooDeep ? `has more than ${EVENT_DEPTH_MAX} levels` : 'is not JSON';
  return new LogError('internal', `Event ${revision} of ${stream} ${flaw}.`, { cause });
}

/** The stored data and metadata of an event; undefined for an `unreadableEvent`. */
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
