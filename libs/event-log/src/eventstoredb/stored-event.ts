import type { ResolvedEvent } from '@eventstore/db-client';
import { LogError } from '../errors';
import { refuseTooDeep, unreadableEvent } from '../unreadable-event';
import { type Position, positionOf, type StoredEvent } from '../port';

/** An event as the server sends it. */
export type ServerEvent = NonNullable<ResolvedEvent['event']>;

/**
 * Returns only the commit part of an event's position, because this part defines the order. In positions of Charter's
 * events, both parts are equal.
 */
export function commitPositionOf(event: ServerEvent): Position {
  if (!event.position) throw new LogError('internal', `The server did not send the position of event ${event.id}.`);
  return positionOf(event.position.commit);
}

/**
 * If an event's data or metadata are not JSON, the client returns them as text or as bytes. An event with such content
 * becomes an `unreadableEvent`, as does an event with too many levels.
 */
export function storedEventOf(resolved: ServerEvent): StoredEvent {
  const { id, type, streamId: stream, revision, data, metadata, created } = resolved;
  const event = { id, type, stream, revision, position: commitPositionOf(resolved), created };
  if (!isJson(data) || (metadata !== undefined && !isJson(metadata))) return unreadableEvent(event);
  try {
    refuseTooDeep(data);
    refuseTooDeep(metadata);
  } catch (cause) {
    return unreadableEvent(event, cause);
  }
  return { ...event, data, ...(metadata !== undefined && { metadata }) };
}

/** Charter writes only objects, so other JSON values count as unreadable. */
const isJson = (content: unknown) => typeof content === 'object' && content !== null && !ArrayBuffer.isView(content);
