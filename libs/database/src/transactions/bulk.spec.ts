import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import { PostgresIntrospector } from 'kysely';
import { inBulk } from './bulk';
import type { Schema, Tables } from '../schema/schema';

const over = (
  adapter: SqliteAdapter | PostgresAdapter,
  compiler: SqliteQueryCompiler | PostgresQueryCompiler,
): Tables =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => compiler,
    },
  });

describe('Bulk insert', () => {
  const write = inBulk<Schema['list_tags']>(['view', 'edition', 'tag', 'sort', 'stream'], (tables, rows) =>
    tables.insertInto('list_tags').values(rows),
  );
  const rows = Array.from({ length: 6 }, (_, edition) => ({ view: 'v', edition, tag: 't', sort: 's', stream: 'o' }));

  it('compiles statements for each dialect when one process uses both databases', () => {
    const [file, server] = [
      over(new SqliteAdapter(), new SqliteQueryCompiler()),
      over(new PostgresAdapter(), new PostgresQueryCompiler()),
    ];
    const statements = (tables: Tables) =>
      write(tables, rows).map(({ sql }) => sql.replace(/^.* (?=values|select)/, ''));
    for (let round = 0; round < 2; round += 1) {
      expect(statements(file)[1]).toBe('values (?, ?, ?, ?, ?)');
      expect(statements(server)).toEqual([
        'select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])',
      ]);
    }
    expect(write(file, rows).flatMap(({ parameters }) => parameters)).toHaveLength(6 * 5);
    expect(write(server, rows).flatMap(({ parameters }) => parameters)[1]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('splits very many rows into several statements of a server', () => {
    const server = over(new PostgresAdapter(), new PostgresQueryCompiler());
    const many = Array.from({ length: 5_000 }, (_, edition) => ({ ...rows[0]!, edition }));
    const editions = write(server, many).map(({ parameters }) => parameters[1] as number[]);
    expect(editions.map(({ length }) => length)).toEqual([4_096, 904]);
    expect(editions.flat()).toEqual(many.map(({ edition }) => edition));
  });
});
