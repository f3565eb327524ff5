import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { StoredEvent } from '../../port';
import { eventColumns, eventOf, type EventRow } from './event-row';
import { uuidOf } from '../uuid';

/** How many events are read at once. Each page is a finished statement: an open one would hold the checkpoint back. */
const pageSize = 500;

/** How far a page looks for them when only some streams are asked for: it must not block its thread for long. */
const farthest = 4096;

/** Some events, and the place through which they were looked for. */
export type EventPage = Readonly<{ events: readonly StoredEvent[]; through: number }>;

/** The questions to the tables, in numbers: positions begin at 1, revisions at 0. No system events. Throws what SQLite throws. */
export type TableReader = Readonly<{
  /** The last position; 0 in an empty log. */
  head: () => number;
  /** The last revision of a stream; nothing if it never existed. */
  lastOf: (stream: string) => number | undefined;
  idAt: (position: number) => string | undefined;
  /** What comes after a position, up to another one (inclusive). */
  after: (position: number, upTo: number, prefixes: readonly string[], most?: number) => EventPage;
  /** What comes before a position, the last first. */
  before: (position: number, prefixes: readonly string[], most?: number) => EventPage;
  /** A stream from one revision to another (both inclusive), the way that this is. */
  stream: (name: string, first: number, last: number, most?: number) => EventPage;
  /** Changes when another connection has committed. */
  version: () => unknown;
}>;

export function tableReader(db: DatabaseSync): TableReader {
  const prepared = new Map<string, StatementSync>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const value = (sql: string, ...values: SQLInputValue[]) => Object.values(statement(sql).get(...values) ?? {})[0];
  const names = new Map<number, string>(); // a stream never changes its name, and each event brings only its number
  const nameOf = (id: number): string => {
    const name = names.get(id) ?? String(value('SELECT name FROM streams WHERE id = ?', id));
    if (names.size < namesKept) names.set(id, name);
    return name;
  };

  /** One page of rows. It looked as far as it was told to, unless it was full before. */
  function page(
    where: string,
    order: Order,
    values: readonly SQLInputValue[],
    through: number,
    most = pageSize,
  ): EventPage {
    const limit = Math.min(most, pageSize);
    const rows = statement(`SELECT ${eventColumns} FROM events e ${where} ORDER BY ${order} LIMIT ?`);
    rows.setReturnArrays(true);
    const found = rows.all(...values, limit) as unknown as EventRow[]; // as `columns` says
    const last = found.length === limit ? found.at(-1) : undefined;
    return { events: found.map((row) => eventOf(row, nameOf(row[1]))), through: last ? placeIn(last, order) : through };
  }

  return {
    head: () => Number(value('SELECT max(position) FROM events') ?? 0),
    lastOf: (stream) => value('SELECT revision FROM streams WHERE name = ?', stream) as number | undefined,
    idAt: (position) => {
      const hex = value('SELECT lower(hex(event_id)) FROM events WHERE position = ?', position);
      return hex === undefined ? undefined : uuidOf(String(hex));
    },
    after: (position, upTo, prefixes, most) => {
      const through = Math.min(upTo, position + farthest);
      const where = `${askedFor(prefixes)} AND e.position > ? AND e.position <= ?`;
      return page(where, 'e.position', [...prefixes, position, through], through, most);
    },
    before: (position, prefixes, most) => {
      const through = Math.max(1, position - farthest);
      const where = `${askedFor(prefixes)} AND e.position < ? AND e.position >= ?`;
      return page(where, 'e.position DESC', [...prefixes, position, through], through, most);
    },
    stream: (name, first, last, most) => {
      const bounds = [Math.min(first, last), Math.max(first, last)];
      const where = `${askedFor([])} AND e.stream = (SELECT id FROM streams WHERE name = ?) AND e.revision BETWEEN ? AND ?`;
      return page(where, first <= last ? 'e.revision' : 'e.revision DESC', [name, ...bounds], last, most);
    },
    version: () => value('PRAGMA data_version'),
  };
}

type Order = 'e.position' | 'e.position DESC' | 'e.revision' | 'e.revision DESC';
const placeIn = ([position, , revision]: EventRow, order: Order) =>
  order.startsWith('e.position') ? position : revision;

/**
 * No system events; and of several prefixes one. `LIKE` and `GLOB` would give some letters a meaning. `CROSS JOIN` keeps
 * SQLite from walking through all streams first.
 */
const askedFor = (prefixes: readonly string[]) => {
  const any = prefixes.map(() => 'instr(s.name, ?) = 1').join(' OR ');
  return any === '' ? `WHERE ${ordinary}` : `CROSS JOIN streams s ON s.id = e.stream WHERE (${any}) AND ${ordinary}`;
};
const ordinary = "substr(e.type, 1, 1) <> '$'";

/** Names of streams in memory, a few hundred bytes each. */
const namesKept = 100_000;
