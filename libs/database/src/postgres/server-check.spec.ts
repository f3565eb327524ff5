import { StoreRefused } from '@charter/event-log';
import { ownPostgres, type Postgres } from '../../../../test/support/stores/postgres';
import { openDatabase } from '../open-database';
import { connectedTo } from '../database.testing';
import { postgresAddress } from './address';
import { assessServer, checkServer } from './server-check';
import { poolOf } from './pool';

const refusalOf = (url: string) =>
  openDatabase({ server: postgresAddress(url) }).then(
    async (database) => {
      await database.close();
      return 'it was opened';
    },
    (why: unknown) => (why instanceof StoreRefused ? why.message : `something else: ${String(why)}`),
  );

describe('Check of a PostgreSQL server', () => {
  let server: Postgres;
  let address: ReturnType<typeof postgresAddress>;
  const run = async (...statements: readonly string[]) => {
    const client = await connectedTo({ ...address, schema: 'public' });
    for (const sql of statements) await client.query(sql);
    await client.end();
  };
  const setTo = async (setting: string, value: string) => {
    await run(`alter system set ${setting} = ${value}`, 'select pg_reload_conf()');
    const client = await connectedTo({ ...address, schema: 'public' });
    let shown: unknown;
    while (shown !== value) shown = Object.values((await client.query<object>(`show ${setting}`)).rows[0] ?? {})[0];
    await client.end();
  };
  /** The address of the server with some parts replaced. */
  const url = (change: { user?: string; password?: string; port?: number; database?: string; query?: string }) => {
    const {
      user = address.user,
      password = address.password,
      port = address.port,
      database = address.database,
    } = change;
    return `postgres://${user}:${password}@127.0.0.1:${port}/${database}?${change.query ?? 'schema=charter'}`;
  };
  beforeAll(async () => {
    server = await ownPostgres();
    address = postgresAddress(server.url);
  });
  afterAll(() => server.stop());

  it.each(['fsync', 'full_page_writes'])('refuses a server with %s=off', async (setting) => {
    await setTo(setting, 'off');
    expect(await refusalOf(server.url)).toBe(
      `The PostgreSQL at 127.0.0.1:${address.port} runs with ${setting}=off and may lose what it has confirmed: turn it on.`,
    );
    await setTo(setting, 'on');
  });

  it("sets synchronous_commit to on for Charter's connections if the server's value is off", async () => {
    await setTo('synchronous_commit', 'off');
    const database = await openDatabase({ server: address });
    const client = await connectedTo(address);
    await database.marks.set('a', 'b');
    await client.end();
    await database.close();
    expect(await synchronousCommitOf(server.url)).toBe('on');
    await setTo('synchronous_commit', 'on');
  });

  it.each([
    [
      'is not reachable',
      () => url({ port: 1 }),
      /:1 cannot be reached \(ECONNREFUSED\): check host, port and whether it runs\.$/,
    ],
    [
      'rejects the password',
      () => url({ password: 'wrong' }),
      /does not let charter in: check the name and the password\.$/,
    ],
    ['lacks the database', () => url({ database: 'none' }), /has no database none: make it with createdb\.$/],
    [
      'has no TLS',
      () => url({ query: 'sslmode=require' }),
      /has no TLS: turn it on there \(ssl=on\), or say sslmode=disable\.$/,
    ],
  ])('refuses a server that %s', async (_, address, sentence) => {
    const message = await refusalOf(address());
    expect(message).toMatch(sentence);
    expect(message).toMatch(/^The PostgreSQL at 127\.0\.0\.1:\d+ [^\n]*\.$/);
    expect(message).not.toMatch(/of-a-test|wrong/);
  });

  it('refuses a role without rights on the schema, and names the GRANT command', async () => {
    await run(`create role guest login password 'of-a-test'`, 'create schema locked');
    expect(await refusalOf(url({ user: 'guest', query: 'schema=mine' }))).toMatch(
      /does not let guest make the schema mine: GRANT CREATE ON DATABASE "postgres" TO "guest"\.$/,
    );
    expect(await refusalOf(url({ user: 'guest', query: 'schema=locked' }))).toMatch(
      /does not let guest use the schema locked: GRANT USAGE, CREATE ON SCHEMA "locked" TO "guest"\.$/,
    );
    await run('grant usage, create on schema locked to guest');
    expect(await refusalOf(url({ user: 'guest', query: 'schema=locked' }))).toBe('it was opened');
  });

  it('refuses a database whose encoding is not UTF-8, and a database that accepts no writes', async () => {
    await run(`create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
    expect(await refusalOf(url({ database: 'latin' }))).toMatch(
      /has the encoding LATIN1: create the database with UTF8\.$/,
    );
    await run('create database reading', 'alter database reading set default_transaction_read_only = on');
    expect(await refusalOf(url({ database: 'reading' }))).toMatch(/is read-only: name a server that accepts writes\.$/);
  });

  it('refuses tables that a newer version of Charter created', async () => {
    expect(await refusalOf(url({ query: 'schema=newer' }))).toBe('it was opened');
    await run(`insert into newer.kysely_migration values ('999-future', '2027-01-01T00:00:00.000Z')`);
    expect(await refusalOf(url({ query: 'schema=newer' }))).toMatch(
      /newer version of Charter \(unknown migrations: 999-future\)/,
    );
  });

  it('lets five callers open a new schema at the same time', async () => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => refusalOf(url({ query: 'schema=at_once' }))));
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'it was opened'));
  });

  it('lets Charter create all tables in its own schema, with text ordered by code point', async () => {
    await refusalOf(url({ query: 'schema=alone' }));
    const client = await connectedTo({ ...address, schema: 'alone' });
    const others = `select table_schema from information_schema.tables where table_name = 'sessions' and table_schema = 'public'`;
    expect((await client.query(others)).rows).toEqual([]);
    const uncollated = `select table_name, column_name from information_schema.columns where table_schema = 'alone'
      and data_type = 'text' and collation_name is distinct from 'C' and table_name not like 'kysely%'`;
    expect((await client.query(uncollated)).rows).toEqual([]);
    await client.end();
  });
});

describe('Assessment of a server’s settings', () => {
  const good = {
    ...{ version: 150_000, standby: false, encoding: 'UTF8', fsync: 'on', full_page_writes: 'on' },
    ...{ synchronous_commit: 'on', read_only: 'off', may_use: null, may_make: true },
  };
  const address = postgresAddress('postgres://u:p@127.0.0.1/d');
  it.each([
    [{ version: 120_022 }, 'is of version 12; Charter needs 13 or newer'],
    [{ standby: true }, 'is a standby, which accepts no writes: name the primary'],
  ])('refuses a server with %j', (change, why) => {
    expect(() => assessServer({ ...good, ...change }, address)).toThrow(`The PostgreSQL at 127.0.0.1:5432 ${why}.`);
  });

  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('with synchronous_commit %s, uses %s on the connections of Charter', (configured, used) => {
    expect(assessServer({ ...good, synchronous_commit: configured }, address)).toEqual({ synchronousCommit: used });
  });
});

/** Reads the value of synchronous_commit on a connection that Charter opens. */
async function synchronousCommitOf(url: string) {
  const address = postgresAddress(url);
  const pool = poolOf(address, { max: 1, statement: 1_000, acquire: 5_000, ...(await checkServer(address)) });
  const client = await pool.connect();
  const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit', []);
  client.release();
  await pool.end();
  return rows[0]!.synchronous_commit;
}
