import { StoreRefused } from '@charter/event-log';

/**
 * The address of a PostgreSQL server, and how Charter connects to it. The address contains a password, so messages and
 * logs must contain only `printed`.
 */
export type PostgresAddress = Readonly<{
  /** The host's name, its IP address, or the folder of a Unix socket. */
  host: string;
  port: number;
  database: string;
  user: string;
  password: string | undefined;
  /** The schema that contains only Charter's tables. */
  schema: string;
  tls: 'disable' | 'require' | 'verify-full';
  files: Readonly<{ sslrootcert?: string; sslcert?: string; sslkey?: string }>;
  /** The maximum number of connections that one process opens for requests. */
  connections: number;
  /** The address without the password, for messages and logs. */
  printed: string;
}>;

/**
 * Parses `postgres://user:password@host:5432/database?schema=charter&sslmode=verify-full`. Charter passes only the
 * parsed parts to the client library. Charter connects to another machine without TLS only if the address contains
 * `sslmode=disable`.
 * @throws StoreRefused with a sentence that does not contain the address
 */
export function postgresAddress(text: string): PostgresAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?([^@/?]*)\/([^/?]*)(?:\?(.*))?$/s.exec(text.trim());
  if (!parts)
    throw refused(
      'must be postgres://user:password@host:5432/database, with : / ? # @ and % in the password percent-encoded',
    );
  const [, who = '', where = '', name = '', query = ''] = parts;
  const given = pairsIn(query);
  const [user, password] = userIn(who);
  const { host, port } = hostIn(where, given.get('host'));
  const database = decoded(name);
  if (database === '') throw refused('must name a database, as in postgres://user:password@host:5432/database');
  const schema = schemaIn(given.get('schema'));
  return {
    ...{ host, port, database, user, password, schema },
    tls: tlsIn(given, host),
    files: filesIn(given),
    connections: connectionsIn(given.get('connections')),
    printed: `postgres://${user}@${host}:${port}/${database}?schema=${schema}`,
  };
}

/** Whether the traffic to this host stays on this machine. */
const isLocal = (host: string) => host.startsWith('/') || /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

const fileKeys = ['sslrootcert', 'sslcert', 'sslkey'] as const;
const keys: readonly string[] = ['schema', 'sslmode', ...fileKeys, 'connections', 'host'];

type Given = ReadonlyMap<string, string>;

/** The settings in the query part of the address. */
function pairsIn(query: string): Given {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = '', ...more] = pair.split('=');
      if (!keys.includes(name)) throw refused(`has a setting that Charter does not know; it knows ${keys.join(', ')}`);
      if (value === '' || more.length > 0) throw refused(`must give ${name} as ${name}=value`);
      return [name, decoded(value)];
    }),
  );
}

function userIn(text: string): [user: string, password: string | undefined] {
  const [user = '', password, ...more] = text.split(':');
  if (user === '' || more.length > 0)
    throw refused('must name its user as user:password@, with : / ? # @ and % percent-encoded');
  return [decoded(user), password === undefined || password === '' ? undefined : decoded(password)];
}

function hostIn(text: string, folder: string | undefined): Pick<PostgresAddress, 'host' | 'port'> {
  if (folder !== undefined && !folder.startsWith('/'))
    throw refused('may say host=/FOLDER for a Unix socket only; write the name of a host before /database');
  const parts = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s,]*))(?::(\d{1,5}))?$/i.exec(text);
  const host = folder ?? parts?.[1] ?? parts?.[2] ?? '';
  const port = Number(parts?.[3] ?? 5432);
  if (!parts || host === '' || port < 1 || port > 65_535) throw refused('must name one host, as host or host:port');
  return { host, port };
}

function schemaIn(text = 'charter'): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(text) || /^pg_|^information_schema$/.test(text))
    throw refused(
      'must give schema in lower-case letters, digits and _, and must not name a schema of PostgreSQL itself',
    );
  return text;
}

function tlsIn(given: Given, host: string): PostgresAddress['tls'] {
  const mode = given.get('sslmode') ?? (isLocal(host) ? 'disable' : undefined);
  if (mode === undefined)
    throw refused(
      'is on another machine, so it must say sslmode=verify-full, sslmode=require (encrypted, but without a check of ' +
        'the server), or sslmode=disable on a trusted network',
    );
  if (mode !== 'disable' && mode !== 'require' && mode !== 'verify-full')
    throw refused('must say sslmode=verify-full, sslmode=require or sslmode=disable');
  if (given.has('sslrootcert') && mode !== 'verify-full')
    throw refused('must say sslmode=verify-full where it names sslrootcert');
  if (given.has('sslcert') !== given.has('sslkey')) throw refused('must give sslcert and sslkey together');
  if (given.has('sslcert') && mode === 'disable') throw refused('must not say sslmode=disable where it names sslcert');
  return mode;
}

const filesIn = (given: Given): PostgresAddress['files'] =>
  Object.fromEntries(fileKeys.flatMap((key) => (given.has(key) ? [[key, given.get(key)]] : [])));

function connectionsIn(text = '10'): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw refused('must give connections as a number from 1 to 999');
  return Number(text);
}

function decoded(text: string): string {
  try {
    const whole = decodeURIComponent(text);
    if (!whole.includes('\0')) return whole;
  } catch {
    // The `throw` after this block refuses the text.
  }
  throw refused('has a % that encodes nothing; write %25 for it');
}

const refused = (why: string) => new StoreRefused(`DOCUMENTS: ${why}.`);
