import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/**
 * Whether the tables are in a database server, where several processes write at the same time. In a SQLite file, only
 * one process writes at a time.
 */
export const isOnServer = (tables: Pick<Kysely<never>, 'getExecutor'>): boolean =>
  tables.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Locks the rows of a query until the transaction ends. If other transactions are changing these rows, waits until
 * these transactions end and reads the rows again. For example, a process locks an account's row before it creates a
 * session, so that no other process disables the account meanwhile.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  tables: Pick<Kysely<never>, 'getExecutor'>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isOnServer(tables) ? query.forShare() : query);
