import type { ResolvedEvent } from '@eventstore/db-client';
import { LogError } from '../errors';
import { unreadableEvent } from '../unreadable-event';
import { type Position, positionOf, type StoredEvent } from '../port';

/** An event as the server tells it. */
export type ServerEvent = NonNullable<ResolvedEvent['event']>;

/** Of a position only the commit part is kept: it orders, and the other part is the same for what Charter writes. */
export function commitPositionOf(told: ServerEvent): Position {
  if (!told.position) throw new LogError('internal', `The server does not say where event ${told.id} lies.`);
  return positionOf(told.position.commit);
}

/** What is not JSON the client hands on as text or bytes; see `illegible`. */
export function storedEventOf(told: ServerEvent): StoredEvent {
  const { id, type, streamId: stream, revision, data, metadata, created } = told;
  const event = { id, type, stream, revision, position: commitPositionOf(told), created };
  if (!isJson(data) || (metadata !== undefined && !isJson(metadata))) return unreadableEvent(event);
  return { ...event, data, ...(metadata !== undefined && { metadata }) };
}

/** Everything that Charter writes is an object. */
const isJson = (content: unknown) => typeof content === 'object' && content !== null && !ArrayBuffer.isView(content);
