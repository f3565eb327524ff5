import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgres } from '../../../test/support/stores/postgres';
import { openDatabase, type DatabaseOptions } from './open-database';
import { type PostgresAddress, postgresAddress } from './postgres/address';
import { configOf } from './postgres/pool';
import type { Database } from './database';

/** The time that the specs use as the current time. */
export const testNow = Date.parse('2026-11-21T10:00:00.000Z');

/** A database for one spec. Several processes may open the database. */
export type TestDatabase = Readonly<{
  open: (options?: { serving?: boolean }) => Promise<Database>;
  options: DatabaseOptions;
  /** Runs a statement that Charter's own code never sends. */
  run: (sql: string) => Promise<void>;
  /** Runs a query that Charter's own code never sends. */
  ask: (sql: string) => Promise<readonly object[]>;
  remove: () => Promise<void>;
}>;

/** Both databases, for `describe.each`, so that the same specs run on both. */
export const databases = [
  ['SQLite', sqliteTestDatabase],
  ['PostgreSQL', postgresTestDatabase],
] as const satisfies [string, () => Promise<TestDatabase>][];

export function sqliteTestDatabase(): Promise<TestDatabase> {
  const { file, remove } = folder();
  const ask = (sql: string) => {
    const database = new DatabaseSync(file(), { timeout: 1_000 });
    const rows = database.prepare(sql).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };
  return Promise.resolve(testDatabaseOf({ file: file() }, { ask, remove }));
}

/** Empty schemas that specs reuse, because the creation of a schema writes more data to the disk than most specs. */
const freeSchemas: PostgresAddress[] = [];

export async function postgresTestDatabase(): Promise<TestDatabase> {
  const server = freeSchemas.pop() ?? postgresAddress(await (await postgres()).fresh());
  const ask = (sql: string) => askOf(server, sql);
  const remove = async () => {
    await ask(deleteAllRows);
    freeSchemas.push(server);
  };
  return testDatabaseOf({ server }, { ask, remove });
}

const deleteAllRows = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'kysely%'
  loop execute format('delete from %I', name); end loop; end $$`;

/** A separate connection with the same schema as Charter's connections. */
export async function connectedTo(server: PostgresAddress): Promise<Client> {
  const client = new Client(configOf(server, { search_path: server.schema }));
  await client.connect();
  return client;
}

async function askOf(server: PostgresAddress, sql: string): Promise<readonly object[]> {
  const client = await connectedTo(server);
  const { rows } = await client.query<object>(sql);
  await client.end();
  return rows;
}

type Rows = readonly object[];
type Access = Readonly<{ ask: (sql: string) => Rows | Promise<Rows>; remove: () => void | Promise<void> }>;

const testDatabaseOf = (options: DatabaseOptions, { ask, remove }: Access): TestDatabase => ({
  options,
  open: (more = {}) => openDatabase({ ...options, ...more }),
  run: async (sql) => {
    await ask(sql);
  },
  ask: async (sql) => ask(sql),
  remove: async () => {
    await remove();
  },
});

/** A temporary folder, which `remove` deletes after the spec. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'charter-documents-'));
  return {
    file: (name = 'documents.db') => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
