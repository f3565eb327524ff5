import { databases, type TestDatabase } from '../../libs/database/src/database.testing';
import { personalData } from './personal-data';

describe.each(databases)('Tables in %s', (database, make) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await make();
    await (await place.open()).close();
  });
  afterAll(() => place.remove());

  it('have exactly the columns that the page about personal data names, each once', async () => {
    const columns = (await place.ask(questions[database])) as { table: string; column: string }[];
    const known = columns
      .map(({ table, column }) => `${table}.${column}`)
      .filter((name) => !/^(kysely|sqlite)/.test(name));
    const named = personalData().flatMap(({ table, columns: of }) => of.map((column) => `${table}.${column}`));
    expect(named.toSorted()).toEqual(known.toSorted());
    expect(known.length).toBeGreaterThan(80);
  });
});

const questions = {
  SQLite: `select m.name as "table", p.name as "column" from sqlite_schema m, pragma_table_info(m.name) p where m.type = 'table'`,
  PostgreSQL: `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = current_schema()`,
} as const;
