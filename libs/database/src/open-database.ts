import type { PostgresAddress } from './postgres/address';
import { openPostgres } from './postgres/open-postgres';
import { openSqlite } from './sqlite/open-sqlite';
import type { Database } from './database';

export type DatabaseOptions = SqliteOptions | PostgresOptions;

type SqliteOptions = Readonly<{
  file: string;
  /**
   * The one server of these stores: projections are committed and checkpoints made by threads beside it, so that no
   * request waits for them, and it goes on with the leases of the server before it, which may have died with them in
   * its hand.
   */
  serving?: boolean;
}>;

type PostgresOptions = Readonly<{
  server: PostgresAddress;
  serving?: boolean;
  /** The holder of this process's leases, unique among processes; by default a random id. */
  holder?: string;
}>;

/**
 * Opens the tables, makes them if there are none, and brings them to the newest shape.
 * @throws StoreRefused with one sentence: not to be reached, damaged, foreign, from a newer version, or not to be
 * trusted
 */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  'server' in options
    ? openPostgres(options.server, options.holder)
    : openSqlite(options.file, options.serving === true);
