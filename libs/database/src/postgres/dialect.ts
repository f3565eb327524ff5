import {
  type DatabaseIntrospector,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  sql,
} from 'kysely';

/** Kysely over PostgreSQL, for tables that have a schema for themselves. */
export function postgresDialect(pool: PostgresPool): Dialect {
  const usual = new PostgresDialect({ pool });
  return {
    createDriver: () => usual.createDriver(),
    createAdapter: () => new LockedAdapter(),
    createQueryCompiler: () => usual.createQueryCompiler(),
    createIntrospector: (db) => introspecting(db as Kysely<unknown>),
  };
}

/** Takes no lock of its own: the migration already holds a lock of the schema. */
class LockedAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

/** Kysely looks into every schema of the database, where others may keep tables of the same names. */
const introspecting = (db: Kysely<unknown>): DatabaseIntrospector => ({
  getSchemas: () => Promise.resolve([]),
  getTables: async () => {
    const found = await sql<{
      name: string;
    }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
    return found.rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  },
});
