import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/**
 * Whether the tables are in a server where several processes write at the same time. In SQLite one writes at a time.
 */
export const isOnServer = (tables: Pick<Kysely<never>, 'getExecutor'>): boolean =>
  tables.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Locks the rows of a query until the transaction ends. Waits for transactions that are changing them, and then
 * reads the rows again. So no record is created for an account that another process disables at the same time.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  tables: Pick<Kysely<never>, 'getExecutor'>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isOnServer(tables) ? query.forShare() : query);
