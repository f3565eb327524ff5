import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/**
 * Whether these tables are in a server that several processes use at the same time; SQLite's writers come one by one.
 */
export const isOnServer = (tables: Pick<Kysely<never>, 'getExecutor'>): boolean =>
  tables.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Locks the rows of a query until the transaction ends. It waits for transactions that are changing them, and then
 * reads again. So nothing is created for an account that is being disabled at the same time.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  tables: Pick<Kysely<never>, 'getExecutor'>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isOnServer(tables) ? query.forShare() : query);
