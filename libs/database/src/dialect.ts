import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/** Whether these tables are in a server that several processes use at the same time; SQLite's writers come one by one. */
export const isOnServer = (tables: Pick<Kysely<never>, 'getExecutor'>): boolean =>
  tables.getExecutor().adapter instanceof PostgresAdapter;

/**
 * The rows that this finds stay as they are until the transaction ends: whoever is changing them is waited for, and then they
 * are looked at again. What is made for an active account is so never made for one that is being disabled.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  tables: Pick<Kysely<never>, 'getExecutor'>,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (isOnServer(tables) ? query.forShare() : query);
