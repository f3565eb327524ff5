import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import type { Schema } from './schema';
import { nodeSqliteDialect } from './sqlite/node-sqlite-dialect';
import { type ViewShape, type ViewStore, viewStore } from './view-store';

/** Documents on a database that fails once, at its n-th statement: before it does anything, or after it has. */
export function faultyStore<State>(file: string, shape: ViewShape<State>, failAt: number, when: 'before' | 'after') {
  const database = new DatabaseSync(file, { timeout: 100 });
  let statements = 0;
  const counted = <T>(run: () => T): T => {
    statements += 1;
    const fails = statements === failAt;
    if (fails && when === 'before') throw new Error('The disk is gone.');
    const result = run();
    if (fails) throw new Error('The answer is lost.');
    return result;
  };
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      columns: () => statement.columns(),
      all: (...values: never[]) => counted(() => statement.all(...values)),
      run: (...values: never[]) => counted(() => statement.run(...values)),
    };
  };
  const isTransaction = { get: () => database.isTransaction };
  const stand = Object.defineProperty(
    { prepare, close: () => database.close() },
    'isTransaction',
    isTransaction,
  ) as unknown as DatabaseSync; // all that the dialect asks for
  const tables = new Kysely<Schema>({ dialect: nodeSqliteDialect(stand) });
  const store: ViewStore<State> = viewStore(tables, shape);
  return { store, statements: () => statements, close: () => tables.destroy() };
}
