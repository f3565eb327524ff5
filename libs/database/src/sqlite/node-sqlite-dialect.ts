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
} from 'kysely';
import { isBusy, translateSqliteError } from './failure';
import type { FileHealth } from './file-health';

/**
 * Kysely over `node:sqlite`. This dialect differs from Kysely's dialect in three ways. Transactions take the write lock
 * when they begin: all of Charter's transactions write, and one that reads first cannot be retried. A wait for a locked
 * file does not block the thread. Migrations run inside transactions, so that two processes may migrate at the same
 * time.
 *
 * Integers above 2^53 throw ERR_OUT_OF_RANGE; keep 64-bit values in TEXT.
 *
 * @param health checked before each write, and notified of each failed write
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

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // After a failed commit, the next statements would otherwise still belong to this transaction.
    await this.rollbackTransaction(connection);
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** When the disk is full or fails, SQLite has already rolled back, and a second rollback would throw. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Repeats a statement that found the file locked, until a deadline. The repetition is safe, because the statement has
 * changed nothing.
 */
const withRetries = (connection: DatabaseConnection, health: FileHealth): DatabaseConnection => ({
  streamQuery: (query, size) => connection.streamQuery(query, size),
  executeQuery: async <Row>(query: CompiledQuery) => {
    const writes = isWriting(query);
    if (writes) health.check();
    for (const deadline = Date.now() + PATIENCE; ;) {
      try {
        return await connection.executeQuery<Row>(query);
      } catch (why) {
        if (writes) health.judge(why);
        if (!isBusy(why) || Date.now() > deadline) throw translateSqliteError(why);
        await pause(5 + Math.random() * 20);
      }
    }
  },
});

/** Whether a statement writes; the begin and the commit of a transaction count as writes. A rollback writes nothing. */
const isWriting = ({ sql }: CompiledQuery): boolean => !/^(select|rollback)\b/i.test(sql);

/**
 * The maximum number of milliseconds that a statement waits for other processes, beside SQLite's short busy timeout.
 */
const PATIENCE = 4_000;

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
    // Statements with result columns are read with all() or iterate(): SELECT, and also INSERT … RETURNING.
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
