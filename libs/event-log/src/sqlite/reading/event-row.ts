import { notReadable, parseEventText, unreadableEvent } from '../../unreadable-event';
import { type EventToFold, type EventWithTexts, positionOf, type StoredEvent } from '../../port';
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

/** The columns that a fold needs. */
export const columnsToFold = `e.position, e.stream, e.revision, e.type, CAST(e.data AS TEXT), CAST(e.metadata AS TEXT)`;

export type RowToFold = readonly [
  position: number,
  stream: number,
  revision: number,
  type: string,
  data: string,
  metadata: string | null,
];

/** The event of a row. The class parses the JSON texts at each access. */
export class LazyEventToFold implements EventToFold {
  readonly #row: RowToFold;

  constructor(
    row: RowToFold,
    readonly stream: string,
  ) {
    this.#row = row;
  }

  get type() {
    return this.#row[3];
  }
  get revision() {
    return BigInt(this.#row[2]);
  }
  get position() {
    return positionOf(this.#row[0]);
  }
  get data() {
    return this.#parsed(this.#row[4]);
  }
  get metadata() {
    const metadata = this.#row[5];
    return metadata === null ? undefined : this.#parsed(metadata);
  }

  #parsed(text: string): unknown {
    try {
      return parseEventText(text);
    } catch (cause) {
      throw notReadable(this, cause);
    }
  }
}

/** Makes an event from its row. One literal holds all fields, because a long history has many events to make. */
export function eventOf(row: EventRow, stream: string): StoredEvent {
  const [position, , revision, hex, type, data, metadata, created] = row;
  try {
    const event = {
      id: uuidOf(hex),
      type,
      stream,
      revision: BigInt(revision),
      position: positionOf(position),
      created: new Date(created),
      data: parseEventText(data),
    };
    return metadata === null ? event : Object.assign(event, { metadata: parseEventText(metadata) });
  } catch (cause) {
    const at = { revision: BigInt(revision), position: positionOf(position), created: new Date(created) };
    return unreadableEvent({ id: uuidOf(hex), type, stream, ...at }, cause);
  }
}

/**
 * The event of a row, with the JSON texts of the row. The class parses these texts only when a caller reads `event`.
 * `texts` is undefined if the event has no metadata.
 */
export class LazyEventWithTexts implements EventWithTexts {
  readonly #row: EventRow;
  #event: StoredEvent | undefined;

  constructor(
    row: EventRow,
    readonly stream: string,
  ) {
    this.#row = row;
  }

  get id() {
    return uuidOf(this.#row[3]);
  }
  get type() {
    return this.#row[4];
  }
  get revision() {
    return this.#row[2];
  }
  get position() {
    return positionOf(this.#row[0]);
  }
  get texts() {
    const [, , , , , data, metadata] = this.#row;
    return metadata === null ? undefined : { data, metadata };
  }
  get event() {
    return (this.#event ??= eventOf(this.#row, this.stream));
  }
}
