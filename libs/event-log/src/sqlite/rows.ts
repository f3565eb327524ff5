import { LogError } from '../errors';
import { positionOf, type StoredEvent } from '../port';
import { uuidOf } from './uuid';

/** What is read of an event, as arrays: they are made faster than objects, and text faster than bytes. */
export const columns = `e.position, e.stream, e.revision, lower(hex(e.event_id)), e.type,
  CAST(e.data AS TEXT), CAST(e.metadata AS TEXT), e.created`;

export type Row = readonly [
  position: number,
  stream: number,
  revision: number,
  hex: string,
  type: string,
  data: string,
  metadata: string | null,
  created: number,
];

export function eventOf([position, , revision, hex, type, data, metadata, created]: Row, stream: string): StoredEvent {
  try {
    const event = {
      id: uuidOf(hex),
      type,
      stream,
      revision: BigInt(revision),
      position: positionOf(BigInt(position)),
      data: JSON.parse(data) as unknown,
      created: new Date(created),
    };
    return metadata === null ? event : { ...event, metadata: JSON.parse(metadata) as unknown };
  } catch (cause) {
    throw new LogError('internal', `Event ${revision} of ${stream} is not JSON.`, { cause });
  }
}
