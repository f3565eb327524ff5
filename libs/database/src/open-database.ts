import type { PostgresAddress } from './postgres/address';
import { openPostgres } from './postgres/open-postgres';
import { openSqlite } from './sqlite/open-sqlite';
import type { Database } from './database';

export type DatabaseOptions = SqliteOptions | PostgresOptions;

type SqliteOptions = Readonly<{
  file: string;
  /**
   * If true, this process is the only server on these stores. The threads of the server commit projections and make
   * checkpoints of the write-ahead log, so that no request waits for commits or checkpoints. The server takes over the
   * leases of the previous server, which may have crashed without releasing them.
   */
  serving?: boolean;
}>;

type PostgresOptions = Readonly<{
  server: PostgresAddress;
  serving?: boolean;
  /** The name under which this process holds leases, unique among processes; by default a random id. */
  holder?: string;
}>;

/**
 * Opens the tables, creates missing tables, and migrates all tables to the newest schema.
 * @throws StoreRefused with a one-sentence reason: the database is unreachable, is damaged, belongs to another program,
 * comes from a newer version, or may lose confirmed writes
 */
export const openDatabase = (options: DatabaseOptions): Promise<Database> =>
  'server' in options ? openPostgres(options.server, options) : openSqlite(options.file, options.serving === true);
