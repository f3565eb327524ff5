import { readFileSync } from 'node:fs';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientConfig, Pool, type PoolClient, types } from 'pg';
import { DatabaseUnavailable } from '../unavailable';
import type { PostgresAddress } from './address';
import { sqlStateOf, translatePostgresError } from './failure';

export type PoolOptions = Readonly<{
  max: number;
  /** The maximum number of milliseconds for one statement. */
  statement: number;
  /** The maximum number of milliseconds to wait for a free connection, or to open a new connection. */
  acquire: number;
  /** The value of `synchronous_commit`: `on` or a stronger value. */
  synchronousCommit: string;
}>;

/** A pool of at most `max` connections to one server, with time limits for getting a connection and for each answer. */
export function poolOf(address: PostgresAddress, options: PoolOptions): PostgresPool {
  const pool = new Pool({
    ...configOf(address, sessionOf(address, options)),
    max: options.max,
    connectionTimeoutMillis: options.acquire,
    query_timeout: options.statement + GRACE_MS,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800, // each new connection resolves the host again, so the pool follows a changed IP address
    verify: refuseStandby(options.acquire / 2),
  });
  pool.on('error', () => undefined); // if the network cuts an idle connection, the pool has already removed it
  // Without this listener, a connection that the network cuts between two statements would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    connect: async () => adaptedClient(await pool.connect().catch(throwUnavailable)),
    end: () => pool.end(),
    options: {}, // with the real options, Kysely would open extra connections
  };
}

/** A statement that runs often, on a separate connection and prepared by the server. `run` returns the rows. */
export function preparedStatement(
  address: PostgresAddress,
  options: Omit<PoolOptions, 'max'>,
  statement: Readonly<{ name: string; text: string }>,
) {
  const pool = new Pool({
    ...configOf(address, sessionOf(address, { ...options, max: 1 })),
    max: 1,
    connectionTimeoutMillis: options.acquire,
    query_timeout: options.statement + GRACE_MS,
    maxLifetimeSeconds: 1_800,
    verify: refuseStandby(options.acquire / 2),
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    run: async (): Promise<readonly (readonly unknown[])[]> => {
      const client = await pool.connect().catch(throwUnavailable);
      try {
        const { rows } = await client.query<unknown[]>({ ...statement, rowMode: 'array' });
        client.release();
        return rows;
      } catch (why) {
        client.release(true); // closes the connection, because the statement may be unfinished
        throw translatePostgresError(why);
      }
    },
    end: () => pool.end(),
  };
}

/** The configuration of a connection. `session` contains the PostgreSQL settings of the session. */
export function configOf(address: PostgresAddress, session: Readonly<Record<string, string | number>>): ClientConfig {
  const { host, port, database, user, password } = address;
  return {
    ...{ host, port, database, user, password },
    ssl: tlsOf(address),
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${String(value).replace(/[\\ ]/g, '\\$&')}`)
      .join(' '),
    application_name: 'charter',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: parserOf },
  };
}

const sessionOf = ({ schema }: PostgresAddress, { statement, synchronousCommit }: PoolOptions) => ({
  search_path: schema,
  synchronous_commit: synchronousCommit,
  statement_timeout: statement,
  lock_timeout: statement,
  idle_in_transaction_session_timeout: IDLE_MS,
  default_transaction_isolation: 'read committed',
  client_min_messages: 'warning',
  timezone: 'UTC',
});

function tlsOf({ tls, files }: PostgresAddress): ClientConfig['ssl'] {
  if (tls === 'disable') return false;
  const read = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8'));
  return {
    rejectUnauthorized: tls === 'verify-full',
    ca: read(files.sslrootcert),
    cert: read(files.sslcert),
    key: read(files.sslkey),
  };
}

/**
 * Adapts a connection to Kysely. After a timeout the pool closes the connection, so that no later caller gets a
 * connection with an unfinished statement.
 */
function adaptedClient(client: PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async <Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> => {
    if (isLost) throw new DatabaseUnavailable('the connection is lost');
    try {
      return (await client.query(sql, parameters.map(storable))) as unknown as PostgresQueryResult<Row>;
    } catch (why) {
      const meaning = translatePostgresError(why);
      isLost = meaning instanceof DatabaseUnavailable && !leavesConnectionUsable(why);
      throw meaning;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (discarded) => client.release(isLost || discarded === true),
  };
}

/**
 * Refuses a new connection to a standby, because a standby may return old data. Afterwards no check is necessary: a
 * primary ends all connections before it becomes a standby.
 * @param limit the maximum number of milliseconds for the check, which the limit for a new connection does not contain
 */
const refuseStandby =
  (limit: number) =>
  (client: PoolClient, done: (why?: Error) => void): void => {
    const query = { text: 'select pg_is_in_recovery() as standby', query_timeout: limit };
    client
      .query<{ standby: boolean }>(query)
      .then(
        ({ rows }) => done(rows[0]!.standby ? new DatabaseUnavailable('the server is a standby') : undefined),
        done,
      );
  };

/**
 * Whether the server itself reported the error and keeps a usable connection open. A read-only connection (25006) is
 * not usable.
 */
const leavesConnectionUsable = (why: unknown) => /^(?!08|25006|25P03|57P|E)[0-9A-Z]{5}$/.test(sqlStateOf(why) ?? '');

/** PostgreSQL can store every character except U+0000. This function replaces U+0000 by U+FFFD. */
const storable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
};

/**
 * Without a connection, no statement runs. Every failure to connect therefore counts as unavailable, for example an
 * expired certificate of the server.
 */
const throwUnavailable = (why: unknown): never => {
  const meaning = translatePostgresError(why);
  throw meaning instanceof DatabaseUnavailable ? meaning : new DatabaseUnavailable(String(why), { cause: why });
};

/** PostgreSQL returns counts as 64-bit integers; all counts of Charter stay below 2^53. */
const parserOf: typeof types.getTypeParser = (id, format): unknown =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format);

/**
 * The client waits this many milliseconds longer than the server's statement timeout, so that the server can report the
 * timeout.
 */
const GRACE_MS = 500;

/**
 * The maximum pause between two statements of a transaction, in milliseconds. Normally Charter sends the next statement
 * at once. A process with a longer pause is frozen or has crashed, and its locks would block the process that takes
 * over.
 */
const IDLE_MS = 3_000;
