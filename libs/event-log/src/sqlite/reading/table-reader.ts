import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { EventToFold, EventWithTexts, StoredEvent } from '../../port';
import {
  columnsToFold,
  eventColumns,
  eventOf,
  type EventRow,
  LazyEventToFold,
  LazyEventWithTexts,
  type RowToFold,
} from './event-row';
import { uuidOf } from '../uuid';

/**
 * The maximum number of events that one statement reads. Each page has its own statement, because a statement that
 * stays open would prevent checkpoints of the WAL.
 */
const pageSize = 500;

/**
 * The maximum number of positions that one page examines when prefixes filter the streams. The limit prevents a page
 * from blocking its thread for long.
 */
const searchedMax = 4096;

/** The events of a page, and the position or revision up to which the page has searched. */
export type EventPage<Item = StoredEvent> = Readonly<{ events: Item[]; through: number }>;

/**
 * Reads the tables, with JavaScript numbers: positions begin at 1, revisions at 0. The reads leave out system events,
 * and throw SQLite's errors unchanged.
 */
export type TableReader = Readonly<{
  /** The last position; 0 in an empty log. */
  head: () => number;
  /** The last revision of a stream; `undefined` if the stream does not exist. */
  lastOf: (stream: string) => number | undefined;
  idAt: (position: number) => string | undefined;
  /** Events after a position, up to and including another position. */
  after: (position: number, upTo: number, prefixes: readonly string[], most?: number) => EventPage;
  /** The same events as `after`, with the fields that a fold needs. */
  eventsToFoldAfter: (position: number, upTo: number, prefixes: readonly string[]) => EventPage<EventToFold>;
  /** Events before a position, in descending order. */
  before: (position: number, prefixes: readonly string[], most?: number) => EventPage;
  /**
   * Events of a stream with their JSON texts, from one revision to another (both inclusive); backwards if `first` is
   * greater than `last`.
   */
  stream: (name: string, first: number, last: number, most?: number) => EventPage<EventWithTexts>;
  /** A value that changes each time another connection has committed. */
  version: () => unknown;
}>;

export function tableReader(db: DatabaseSync): TableReader {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const cached = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, cached);
    return cached;
  };
  const value = (sql: string, ...values: SQLInputValue[]) => Object.values(statement(sql).get(...values) ?? {})[0];
  // An event row contains only the stream's number; this cache adds the name, which never changes.
  const names = new Map<number, string>();
  const nameOf = (id: number): string => {
    const name = names.get(id) ?? String(value('SELECT name FROM streams WHERE id = ?', id));
    if (names.size < namesKept) names.set(id, name);
    return name;
  };

  /**
   * Reads one page of rows. A full page has searched up to its last row; any other page has searched up to `through`.
   */
  function page<Row extends AnyRow, Item>(
    { columns, itemOf }: RowMapping<Row, Item>,
    where: string,
    order: Order,
    values: readonly SQLInputValue[],
    through: number,
    most = pageSize,
  ): EventPage<Item> {
    const limit = Math.min(most, pageSize);
    const rows = statement(`SELECT ${columns} FROM events e ${where} ORDER BY ${order} LIMIT ?`);
    rows.setReturnArrays(true);
    const found = rows.all(...values, limit) as unknown as Row[]; // the values are in the order of `columns`
    const last = found.length === limit ? found.at(-1) : undefined;
    return {
      events: found.map((row) => itemOf(row, nameOf(row[1]))),
      through: last ? numberIn(last, order) : through,
    };
  }

  /** Reads a page of the events after a position, up to and including another position. */
  const pageReader =
    <Row extends AnyRow, Item>(mapping: RowMapping<Row, Item>) =>
    (position: number, upTo: number, prefixes: readonly string[], most?: number) => {
      const through = Math.min(upTo, position + searchedMax);
      const where = `${matching(prefixes)} AND e.position > ? AND e.position <= ?`;
      return page(mapping, where, 'e.position', [...prefixes, position, through], through, most);
    };

  return {
    head: () => Number(value('SELECT max(position) FROM events') ?? 0),
    lastOf: (stream) => value('SELECT revision FROM streams WHERE name = ?', stream) as number | undefined,
    idAt: (position) => {
      const hex = value('SELECT lower(hex(event_id)) FROM events WHERE position = ?', position);
      return hex === undefined ? undefined : uuidOf(String(hex));
    },
    after: pageReader(wholeEvent),
    eventsToFoldAfter: pageReader(toFold),
    before: (position, prefixes, most) => {
      const through = Math.max(1, position - searchedMax);
      const where = `${matching(prefixes)} AND e.position < ? AND e.position >= ?`;
      return page(wholeEvent, where, 'e.position DESC', [...prefixes, position, through], through, most);
    },
    stream: (name, first, last, most) => {
      const bounds = [Math.min(first, last), Math.max(first, last)];
      const where = `${matching([])} AND e.stream = (SELECT id FROM streams WHERE name = ?) AND e.revision BETWEEN ? AND ?`;
      return page(withTexts, where, first <= last ? 'e.revision' : 'e.revision DESC', [name, ...bounds], last, most);
    },
    version: () => value('PRAGMA data_version'),
  };
}

/** The columns of a statement, and the function that makes an item from a row. */
type RowMapping<Row extends AnyRow, Item> = Readonly<{ columns: string; itemOf: (row: Row, stream: string) => Item }>;
type AnyRow = EventRow | RowToFold;
const wholeEvent: RowMapping<EventRow, StoredEvent> = { columns: eventColumns, itemOf: eventOf };
const withTexts: RowMapping<EventRow, EventWithTexts> = {
  columns: eventColumns,
  itemOf: (row, stream) => new LazyEventWithTexts(row, stream),
};
const toFold: RowMapping<RowToFold, EventToFold> = {
  columns: columnsToFold,
  itemOf: (row, stream) => new LazyEventToFold(row, stream),
};

type Order = 'e.position' | 'e.position DESC' | 'e.revision' | 'e.revision DESC';
const numberIn = ([position, , revision]: AnyRow, order: Order) =>
  order.startsWith('e.position') ? position : revision;

/**
 * The SQL condition that leaves out system events and, if there are prefixes, streams that match no prefix. The
 * condition uses `instr`, because `LIKE` and `GLOB` treat some characters as wildcards. `CROSS JOIN` prevents SQLite
 * from reading all streams first.
 */
const matching = (prefixes: readonly string[]) => {
  const any = prefixes.map(() => 'instr(s.name, ?) = 1').join(' OR ');
  return any === '' ? `WHERE ${notSystem}` : `CROSS JOIN streams s ON s.id = e.stream WHERE (${any}) AND ${notSystem}`;
};
const notSystem = "substr(e.type, 1, 1) <> '$'";

/** The maximum number of stream names in memory. Each name needs a few hundred bytes. */
const namesKept = 100_000;
