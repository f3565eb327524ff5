import { DatabaseSync } from 'node:sqlite';
import { type Dialect, Kysely, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { DatabaseOptions } from '../open-database';
import { postgresDialect } from '../postgres/dialect';
import { poolOf } from '../postgres/pool';
import type { Schema } from '../schema/schema';
import { fileHealth } from '../sqlite/file-health';
import { nodeSqliteDialect } from '../sqlite/node-sqlite-dialect';
import { type ViewStore, viewStore } from './view-store';
import type { ViewShape } from './view-shape';

/** A view store on a database that fails once, before or after it runs the statement with the number `failAt`. */
export function faultyStore<State>(
  options: DatabaseOptions,
  shape: ViewShape<State>,
  failAt: number,
  when: 'before' | 'after',
) {
  let statements = 0;
  const fault = (moment: typeof when, now = statements) => {
    if (now === failAt && when === moment)
      throw new Error(when === 'before' ? 'The disk failed.' : 'The answer was lost.');
  };
  const faults: Faults = {
    before: () => {
      const now = ++statements;
      fault('before', now);
      return () => fault('after', now);
    },
  };
  const dialect = 'server' in options ? faultyServer(options, faults) : faultyFile(options.file, faults);
  const tables = new Kysely<Schema>({ dialect });
  const store: ViewStore<State> = viewStore(tables, shape);
  return { store, statements: () => statements, close: () => tables.destroy() };
}

/** `before` runs before each statement; the function that it returns runs after the statement. */
type Faults = Readonly<{ before: () => () => void }>;

function faultyFile(file: string, { before }: Faults): Dialect {
  const database = new DatabaseSync(file, { timeout: 100 });
  const withFaults = <T>(run: () => T): T => {
    const after = before();
    const result = run();
    after();
    return result;
  };
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      columns: () => statement.columns(),
      all: (...values: never[]) => withFaults(() => statement.all(...values)),
      run: (...values: never[]) => withFaults(() => statement.run(...values)),
    };
  };
  const isTransaction = { get: () => database.isTransaction };
  const faultyDatabase = Object.defineProperty(
    { prepare, close: () => database.close() },
    'isTransaction',
    isTransaction,
  ) as unknown as DatabaseSync; // Kysely's dialect uses no other member
  return nodeSqliteDialect(faultyDatabase, fileHealth(file));
}

function faultyServer({ server }: Extract<DatabaseOptions, { server: object }>, { before }: Faults): Dialect {
  const pool = poolOf(server, { max: 2, statement: 5_000, acquire: 1_000, synchronousCommit: 'on' });
  const faulty = (client: PostgresPoolClient): PostgresPoolClient => {
    const query = async (sql: string, parameters: readonly unknown[]) => {
      const after = before();
      const result = await client.query<unknown>(sql, parameters);
      after();
      return result;
    };
    return { query: query as PostgresPoolClient['query'], release: (discarded) => client.release(discarded) };
  };
  const faultyPool: PostgresPool = { ...pool, connect: async () => faulty(await pool.connect()) };
  return postgresDialect(faultyPool);
}
