import {
  type DatabaseIntrospector,
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  sql,
} from 'kysely';

/** Kysely's dialect for PostgreSQL, for tables in a separate schema. */
export function postgresDialect(pool: PostgresPool): Dialect {
  const usual = new PostgresDialect({ pool });
  return {
    createDriver: () => usual.createDriver(),
    createAdapter: () => new LockedAdapter(),
    createQueryCompiler: () => usual.createQueryCompiler(),
    createIntrospector: (db) => introspecting(db as Kysely<unknown>),
  };
}

/** Takes no lock during a migration, because Charter's migration already holds a lock for the schema. */
class LockedAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Reads the current schema only. Kysely's own function reads all schemas, where other tables with the same names may
 * exist.
 */
const introspecting = (db: Kysely<unknown>): DatabaseIntrospector => ({
  getSchemas: () => Promise.resolve([]),
  getTables: async () => {
    const found = await sql<{
      name: string;
    }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
    return found.rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  },
});
