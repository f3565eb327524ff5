import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { isBusy, translateSqliteError } from './failure';
import type { FileHealth } from './file-health';

/**
 * Kysely's dialect for `node:sqlite`. This dialect differs from Kysely's own dialect in three ways. A transaction takes
 * the write lock at its beginning, unless its access mode is `read only`. A transaction that takes the lock after a
 * read could fail, and SQLite would not wait for the lock. A wait for a locked file does not block the thread.
 * Migrations run inside transactions, so that two processes may migrate at the same time.
 *
 * Integers above 2^53 throw ERR_OUT_OF_RANGE, so columns with 64-bit values must have the type TEXT.
 *
 * @param health decides before each write whether the file accepts writes, and is notified of each failed write
 */
export function nodeSqliteDialect(database: DatabaseSync, health: FileHealth): Dialect {
  const config: SqliteDialectConfig = { database: adapt(database) };
  const usual = new SqliteDialect(config);
  return {
    createDriver: () => new RetryingDriver(config, database, health),
    createAdapter: (): DialectAdapter => new TransactionalAdapter(),
    createQueryCompiler: () => usual.createQueryCompiler(),
    createIntrospector: (db) => usual.createIntrospector(db),
  };
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class RetryingDriver extends SqliteDriver implements Driver {
  private connection: DatabaseConnection | undefined;
  private isReadOnly = false;

  constructor(
    config: SqliteDialectConfig,
    private readonly database: DatabaseSync,
    private readonly health: FileHealth,
  ) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return (this.connection ??= withRetries(await super.acquireConnection(), this.health));
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings = {}): Promise<void> {
    // Ends the previous transaction if its commit failed. Otherwise the next statements would still belong to the
    // failed transaction.
    await this.rollbackTransaction(connection);
    this.isReadOnly = settings.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(this.isReadOnly ? 'begin deferred' : 'begin immediate'));
  }

  /** A read-only transaction ends with a rollback, because a commit counts as a write. */
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (this.isReadOnly ? this.rollbackTransaction(connection) : super.commitTransaction(connection));
  }

  /** When the disk is full or fails, SQLite has already rolled back, and a second rollback would throw an error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Repeats a statement if another process has locked the file. The repetition is safe, because the statement has changed
 * nothing. Statements wait one after the other for the connection, so all statements that meet the same lock share one
 * deadline. With separate deadlines, the last statement of a queue would wait for several times `LOCK_WAIT_MS`.
 */
function withRetries(connection: DatabaseConnection, health: FileHealth): DatabaseConnection {
  let lock: { begin: number; seen: number } | undefined;
  return {
    streamQuery: (query, size) => connection.streamQuery(query, size),
    executeQuery: async <Row>(query: CompiledQuery) => {
      const writes = isWriting(query);
      if (writes) health.check();
      for (;;) {
        try {
          const result = await connection.executeQuery<Row>(query);
          if (writes) lock = undefined;
          return result;
        } catch (why) {
          if (writes) health.stopWritesIfLost(why);
          if (!isBusy(why)) throw translateSqliteError(why);
          const now = performance.now();
          lock = { begin: lock && now - lock.seen < SAME_LOCK_MS ? lock.begin : now, seen: now };
          if (now - lock.begin > LOCK_WAIT_MS) throw translateSqliteError(why);
          await pause(5 + Math.random() * 20);
        }
      }
    },
  };
}

/**
 * Whether a statement writes. The begin and the commit of a transaction that may write count as writes. A rollback
 * writes nothing.
 */
const isWriting = ({ sql }: CompiledQuery): boolean => !/^(select|begin deferred|rollback)\b/i.test(sql);

/**
 * The maximum number of milliseconds that statements wait for the same lock of another process, in addition to SQLite's
 * short busy timeout.
 */
const LOCK_WAIT_MS = 4_000;

/** If two statements meet a lock at most this many milliseconds apart, both have met the same lock. */
const SAME_LOCK_MS = 1_000;

function adapt(database: DatabaseSync): SqliteDatabase {
  const known = new Map<string, SqliteStatement>(); // compiling a statement costs more than running it
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = known.get(sql) ?? adaptStatement(database.prepare(sql));
      if (known.size < STATEMENTS_MAX) known.set(sql, statement);
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync): SqliteStatement {
  // Kysely passes only values that the types of the columns allow: text, numbers and null.
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    // True for statements that return rows: SELECT, and also INSERT … RETURNING. Kysely runs them with all() or
    // iterate().
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...values(parameters));
      return { changes, lastInsertRowid };
    },
  };
}

const STATEMENTS_MAX = 500;
