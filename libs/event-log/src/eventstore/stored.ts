import type { ResolvedEvent } from '@eventstore/db-client';
import { LogError } from '../errors';
import { type Position, positionOf, type StoredEvent } from '../port';

/** An event as the server tells it. */
export type Told = NonNullable<ResolvedEvent['event']>;

/** Of a position only the commit part is kept: it orders, and the other part is the same for what Charter writes. */
export function placeIn(told: Told): Position {
  if (!told.position) throw new LogError('internal', `The server does not say where event ${told.id} lies.`);
  return positionOf(told.position.commit);
}

/** @throws LogError `internal` for content that is not JSON, which the client hands on as text or bytes */
export function storedEventOf(told: Told): StoredEvent {
  const { id, type, streamId: stream, revision, data, metadata, created } = told;
  if (!isJson(data) || (metadata !== undefined && !isJson(metadata)))
    throw new LogError('internal', `Event ${revision} of ${stream} is not JSON.`);
  const event = { id, type, stream, revision, position: placeIn(told), data, created };
  return metadata === undefined ? event : { ...event, metadata };
}

/** Everything that Charter writes is an object. */
const isJson = (content: unknown) => typeof content === 'object' && content !== null && !ArrayBuffer.isView(content);
