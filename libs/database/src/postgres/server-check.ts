import { readFileSync } from 'node:fs';
import { StoreRefused } from '@charter/event-log';
import { Client } from 'pg';
import { isError } from '../unavailable';
import type { PostgresAddress } from './address';
import { sqlStateOf } from './failure';
import { configOf } from './pool';

/** The results of the checks of a PostgreSQL server. */
export type ServerCheck = Readonly<{
  /** The value of `synchronous_commit` that Charter sets on its connections. */ synchronousCommit: string;
}>;

/**
 * Checks whether the server keeps every write that it confirms.
 * @throws StoreRefused with one sentence that says what to do
 */
export async function checkServer(address: PostgresAddress): Promise<ServerCheck> {
  const client = clientOf(address);
  // Without a listener, an error of the connection would end the process. The error also rejects the pending query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<ServerFacts>(question, [address.schema]);
    return assessServer(rows[0]!, address);
  } catch (why) {
    if (why instanceof StoreRefused) throw why;
    throw unusable(address, reasonOf(why, address), why);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function clientOf(address: PostgresAddress): Client {
  const { files } = address;
  for (const file of [files.sslrootcert, files.sslcert, files.sslkey]) {
    try {
      if (file !== undefined) readFileSync(file);
    } catch (cause) {
      throw new StoreRefused(`DOCUMENTS: the file ${file} cannot be read.`, { cause });
    }
  }
  return new Client({ ...configOf(address, {}), connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
}

export type ServerFacts = {
  version: number;
  standby: boolean;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  read_only: string;
  /** Whether the user may use the schema; null if the schema does not exist. */
  may_use: boolean | null;
  may_make: boolean;
};

const question = `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as standby,
  current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
  current_setting('default_transaction_read_only') as read_only,
  (select has_schema_privilege(n.oid, 'USAGE') and has_schema_privilege(n.oid, 'CREATE') from pg_namespace n
   where n.nspname = $1) as may_use,
  has_database_privilege(current_database(), 'CREATE') as may_make`;

export function assessServer(server: ServerFacts, address: PostgresAddress): ServerCheck {
  const { schema, user, database } = address;
  const refuse = (why: string) => unusable(address, why);
  if (server.version < 130_000)
    throw refuse(`is of version ${Math.floor(server.version / 10_000)}; Charter needs 13 or newer`);
  if (server.standby) throw refuse('is a standby, which accepts no writes: name the primary');
  if (server.read_only === 'on') throw refuse('is read-only: name a server that accepts writes');
  if (server.encoding !== 'UTF8') throw refuse(`has the encoding ${server.encoding}: create the database with UTF8`);
  for (const setting of ['fsync', 'full_page_writes'] as const)
    if (server[setting] === 'off')
      throw refuse(`runs with ${setting}=off and may lose what it has confirmed: turn it on`);
  if (server.may_use === null && !server.may_make)
    throw refuse(`does not let ${user} make the schema ${schema}: GRANT CREATE ON DATABASE "${database}" TO "${user}"`);
  if (server.may_use === false)
    throw refuse(
      `does not let ${user} use the schema ${schema}: GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${user}"`,
    );
  // With `off`, a commit waits for no flush; with `local`, it does not wait for synchronous standbys. In both cases
  // Charter uses the setting `on`. Charter does not change a stronger setting.
  const isWeak = ['off', 'local'].includes(server.synchronous_commit);
  return { synchronousCommit: isWeak ? 'on' : server.synchronous_commit };
}

/** Why the connection failed: the second half of a sentence that begins with "The PostgreSQL at … ". */
function reasonOf(why: unknown, { user, database, tls }: PostgresAddress): string {
  const code = sqlStateOf(why) ?? '';
  const message = isError(why) ? why.message : String(why);
  if (code === '28P01' || code === '28000') return `does not let ${user} in: check the name and the password`;
  if (/password/i.test(message)) return `asks for a password: write it as user:password@`;
  if (code === '3D000') return `has no database ${database}: make it with createdb`;
  if (code === '53300')
    return 'has no connection left: raise max_connections, or allow Charter fewer with connections=';
  if (code === '57P03') return 'is starting or stopping: try again in a moment';
  if (/does not support SSL/.test(message)) return `has no TLS: turn it on there (ssl=on), or say sslmode=disable`;
  if (/certificate|altnames|self.signed|^ERR_TLS|^ERR_SSL|UNABLE_TO|DEPTH_ZERO/i.test(`${code} ${message}`))
    return `shows a certificate that cannot be verified (${code || message}): name its authority with sslrootcert=FILE`;
  if (/^E[A-Z_]+$/.test(code) || /timeout|terminated/i.test(message))
    return `cannot be reached (${code || message.toLowerCase()}): check host, port and whether it runs`;
  return `cannot be used with sslmode=${tls} (${code || message})`;
}

const unusable = ({ host, port }: PostgresAddress, why: string, cause?: unknown) =>
  new StoreRefused(`The PostgreSQL at ${host}:${port} ${why}.`, { cause });

/** The maximum number of milliseconds to wait for a server when Charter starts. */
const ANSWER_MS = 5_000;
