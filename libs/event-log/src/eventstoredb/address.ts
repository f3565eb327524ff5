import { StoreRefused } from '../store-refused';

/**
 * The hosts of an EventStoreDB, the user, and the security settings. The address contains a password, so logs and
 * messages may print only the result of `hostsOf`.
 */
export type EventStoreAddress = Readonly<{
  /** Whether the client asks the first host for the members of the cluster. */
  isDiscovered: boolean;
  hosts: readonly EventStoreHost[];
  user: Readonly<{ username: string; password: string }> | undefined;
  isSecure: boolean;
  files: Readonly<{ tlsCAFile?: string; userCertFile?: string; userKeyFile?: string }>;
  /**
   * The numeric settings of the client, in milliseconds; but `gossipTimeout` is in seconds, and `maxDiscoverAttempts`
   * is a number of attempts.
   */
  numbers: Readonly<Partial<Record<NumberKey, number>>>;
}>;

export type EventStoreHost = Readonly<{ address: string; port: number }>;

/**
 * Parses `esdb://[user:password@]host[:2113][,host…][?key=value&…]` or `esdb+discover://…` (`event-log.md` A9). Charter
 * parses the address itself, because the client's error messages can contain parts of the address, for example the
 * password.
 * @throws StoreRefused, whose message never contains the address
 */
export function eventStoreAddress(text: string, options: { allowInsecure?: boolean } = {}): EventStoreAddress {
  const parts = /^(esdb|esdb\+discover):\/\/(?:([^@/?]*)@)?([^@/?]+)\/?(?:\?(.*))?$/s.exec(text.trim());
  if (/^kurrentdb/i.test(text.trim()))
    throw refused('write esdb:// where it says kurrentdb://; the protocol is the same');
  if (!parts)
    throw refused(
      'must be esdb://user:password@host:2113 or esdb+discover://…, with : / ? # @ and % in the password percent-encoded',
    );

  const [, scheme, user, hosts = '', query = ''] = parts;
  const given = pairsIn(query);
  const address: EventStoreAddress = {
    isDiscovered: scheme === 'esdb+discover',
    hosts: hosts.split(',').map(hostIn),
    user: user === undefined ? undefined : userIn(user),
    isSecure: booleanOf(given, 'tls') ?? true,
    files: textsIn(given),
    numbers: numbersIn(given),
  };
  refuseUnsafe(address, given, options.allowInsecure === true);
  return address;
}

/** The hosts without user and password, for messages and logs. */
export const hostsOf = ({ hosts }: EventStoreAddress): string =>
  hosts.map(({ address, port }) => `${address}:${port}`).join(', ');

const isLoopbackHost = ({ address }: EventStoreHost): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(address);

const numberKeys = [
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
  'defaultDeadline',
] as const;
type NumberKey = (typeof numberKeys)[number];
const fileKeys = ['tlsCAFile', 'userCertFile', 'userKeyFile'] as const;
const otherKeys = ['tls', 'tlsVerifyCert', 'throwOnAppendFailure', 'nodePreference', 'connectionName'] as const;
const keys = new Map([...numberKeys, ...fileKeys, ...otherKeys].map((key) => [key.toLowerCase(), key]));

type Given = ReadonlyMap<string, string>;

/** The settings after the question mark, by their canonical names. */
function pairsIn(query: string): Given {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const [name = '', value = '', ...more] = pair.split('=');
      const key = keys.get(name.trim().toLowerCase().replace(/[_-]/g, ''));
      if (!key) throw refused(`has a setting that Charter does not know; it knows ${[...keys.values()].join(', ')}`);
      if (value === '' || more.length > 0) throw refused(`must give ${key} as ${key}=value`);
      return [key, decoded(value)];
    }),
  );
}

function hostIn(text: string): EventStoreHost {
  const parts = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i.exec(text.trim());
  const port = Number(parts?.[2] ?? 2113);
  if (!parts?.[1] || port < 1 || port > 65_535) throw refused('must name its hosts as host or host:port');
  return { address: parts[1], port };
}

function userIn(text: string) {
  const [username = '', password = '', ...more] = text.split(':');
  if (username === '' || password === '' || more.length > 0)
    throw refused('must name its user as user:password@, with : / ? # @ and % percent-encoded');
  return { username: decoded(username), password: decoded(password) };
}

const textsIn = (given: Given): EventStoreAddress['files'] =>
  Object.fromEntries(fileKeys.flatMap((key) => (given.has(key) ? [[key, given.get(key)]] : [])));

const numbersIn = (given: Given): EventStoreAddress['numbers'] =>
  Object.fromEntries(
    numberKeys.flatMap((key) => {
      const value = given.get(key);
      if (value === undefined) return [];
      if (!/^[1-9]\d{0,8}$/.test(value)) throw refused(`must give ${key} as a whole number`);
      return [[key, Number(value)]];
    }),
  );

function booleanOf(given: Given, key: string): boolean | undefined {
  const value = given.get(key);
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw refused(`must say ${key}=true or ${key}=false`);
  return value === undefined ? undefined : value === 'true';
}

/** Refuses unsafe settings that the client would accept. */
function refuseUnsafe(address: EventStoreAddress, given: Given, allowInsecure: boolean): void {
  const { files, isSecure, user, hosts, isDiscovered } = address;
  if (isDiscovered && hosts.length > 1)
    throw refused(
      'must name one host after esdb+discover://, which the client asks for the others, or all hosts after esdb://',
    );
  if (booleanOf(given, 'throwOnAppendFailure') === false)
    throw refused('must not say throwOnAppendFailure=false: refused appends would look like appends');
  if (booleanOf(given, 'tlsVerifyCert') === false)
    throw refused('must not say tlsVerifyCert=false, which has no effect: name the authority with tlsCAFile=FILE');
  if ((given.get('nodePreference') ?? 'leader') !== 'leader')
    throw refused('must leave nodePreference at leader: decisions are made on the newest events');
  if ((files.userCertFile === undefined) !== (files.userKeyFile === undefined))
    throw refused('must give userCertFile and userKeyFile together');
  if (isSecure && !user)
    throw refused('must name a user, as in esdb://user:password@host: reading everything needs one');
  if (!isSecure && !allowInsecure && !hosts.every(isLoopbackHost))
    throw refused('must not say tls=false for another machine; EVENT_LOG_ALLOW_INSECURE=true takes that risk');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('has a % that encodes nothing; write %25 for it');
  }
}

const refused = (why: string) => new StoreRefused(`EVENT_LOG: ${why}.`);
