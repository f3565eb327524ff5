import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPostgres, type Postgres } from '../../../../test/support/stores/postgres';
import { connectedTo } from '../database.testing';
import { openDatabase } from '../open-database';
import { DatabaseUnavailable } from '../unavailable';
import { type PostgresAddress, postgresAddress } from './address';
import { poolOf } from './pool';

let server: Postgres;
let address: PostgresAddress;
beforeAll(async () => {
  server = await ownPostgres();
  address = postgresAddress(server.url);
}, 60_000);
afterAll(() => server.stop());

/** Returns the first value of the first row. */
const ask = async (sql: string) => {
  const client = await connectedTo({ ...address, schema: 'public' });
  client.on('error', () => undefined);
  try {
    return Object.values((await client.query<Record<string, unknown>>(sql)).rows[0]!)[0];
  } finally {
    await client.end().catch(() => undefined);
  }
};
const until = async (isStandby: boolean) => {
  while ((await ask('select pg_is_in_recovery()').catch(() => undefined)) !== isStandby);
};

/** Ends all connections. The server then starts again as a standby, which answers queries. */
async function demote() {
  writeFileSync(join(String(await ask('show data_directory')), 'standby.signal'), '');
  const client = await connectedTo({ ...address, schema: 'public' });
  client.on('error', () => undefined);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL'); // the server ends all other connections, too
  await until(true);
}

describe('A PostgreSQL that has become a standby', () => {
  it('answers no query, because its data may be old, until it is the primary again', async () => {
    const database = await openDatabase({ server: { ...address, schema: 'charter' } });
    const calls = () => [database.refreshStamps!(), database.people.accounts.byEmail('unknown@example.com')];
    await Promise.all(calls());
    await demote();
    const refused = { status: 'rejected', reason: expect.any(DatabaseUnavailable) as unknown };
    expect(await Promise.allSettled(calls())).toEqual([refused, refused]);
    expect(await Promise.allSettled(calls())).toEqual([refused, refused]);
    await ask('select pg_promote()');
    await until(false);
    await Promise.all(calls());
    await database.close();
  }, 30_000);

  it('loses a connection that refuses a write, so that the next connection can reach the new primary', async () => {
    const pool = poolOf(address, { max: 1, statement: 1_000, acquire: 5_000, synchronousCommit: 'on' });
    const before = await pool.connect();
    await before.query('set default_transaction_read_only = on', []); // as on a standby
    await expect(before.query('create table written ()', [])).rejects.toThrow(DatabaseUnavailable);
    before.release();
    const after = await pool.connect();
    await after.query('create table written ()', []);
    after.release();
    await pool.end();
  });
});
