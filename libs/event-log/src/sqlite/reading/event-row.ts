import { unreadableEvent } from '../../unreadable-event';
import { positionOf, type StoredEvent } from '../../port';
import { uuidOf } from '../uuid';

/**
 * The columns of an event. The statements return arrays and text, because `node:sqlite` produces these faster than
 * objects and bytes.
 */
export const eventColumns = `e.position, e.stream, e.revision, lower(hex(e.event_id)), e.type,
  CAST(e.data AS TEXT), CAST(e.metadata AS TEXT), e.created`;

export type EventRow = readonly [
  position: number,
  stream: number,
  revision: number,
  hex: string,
  type: string,
  data: string,
  metadata: string | null,
  created: number,
];

export function eventOf(
  [position, , revision, hex, type, data, metadata, created]: EventRow,
  stream: string,
): StoredEvent {
  const event = {
    id: uuidOf(hex),
    type,
    stream,
    revision: BigInt(revision),
    position: positionOf(BigInt(position)),
    created: new Date(created),
  };
  try {
    const content = { ...event, data: JSON.parse(data) as unknown };
    return metadata === null ? content : { ...content, metadata: JSON.parse(metadata) as unknown };
  } catch (cause) {
    return unreadableEvent(event, cause);
  }
}
