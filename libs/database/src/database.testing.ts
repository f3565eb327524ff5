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

/** A place for tables, which several processes may open. */
export type TestDatabase = Readonly<{
  open: (options?: { serving?: boolean }) => Promise<Database>;
  options: DatabaseOptions;
  /** Does to the tables what no code of ours does. */
  run: (sql: string) => Promise<void>;
  /** Sees what no code of ours shows. */
  ask: (sql: string) => Promise<readonly object[]>;
  remove: () => Promise<void>;
}>;

/** Each kind of database, for `describe.each`: the same specs hold on all of them. */
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
  return Promise.resolve(placeOf({ file: file() }, { ask, remove }));
}

/** Schemas that were given back, empty: making one costs the disk more than most specs do. */
const spare: PostgresAddress[] = [];

export async function postgresTestDatabase(): Promise<TestDatabase> {
  const server = spare.pop() ?? postgresAddress(await (await postgres()).fresh());
  const ask = (sql: string) => askOf(server, sql);
  const remove = async () => {
    await ask(emptied);
    spare.push(server);
  };
  return placeOf({ server }, { ask, remove });
}

const emptied = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = current_schema() and tablename not like 'kysely%'
  loop execute format('delete from %I', name); end loop; end $$`;

/** A connection of its own, which sees the tables as ours do. */
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
type Means = Readonly<{ ask: (sql: string) => Rows | Promise<Rows>; remove: () => void | Promise<void> }>;

const placeOf = (options: DatabaseOptions, { ask, remove }: Means): TestDatabase => ({
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

/** A folder that is gone after the spec. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'charter-documents-'));
  return {
    file: (name = 'documents.db') => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
