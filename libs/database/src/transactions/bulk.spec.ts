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
    const statements = (tables: Tables) => write(tables, rows).map(({ sql }) => sql.replace(/^.* values /, ''));
    for (let round = 0; round < 2; round += 1) {
      expect(statements(file)[1]).toBe('(?, ?, ?, ?, ?)');
      expect(statements(server)[1]).toBe('($1, $2, $3, $4, $5)');
    }
    expect(write(server, rows).flatMap(({ parameters }) => parameters)).toHaveLength(6 * 5);
  });
});
