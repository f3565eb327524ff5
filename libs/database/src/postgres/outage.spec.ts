import { setTimeout as pause } from 'node:timers/promises';
import { inTime } from '../../../../test/support/in-time';
import { postgres } from '../../../../test/support/stores/postgres';
import { type TcpProxy, tcpProxy } from '../../../../test/support/network/tcp-proxy';
import { openDatabase } from '../open-database';
import { testAccount } from '../people/people.testing';
import type { Database } from '../database';
import { connectedTo, testNow } from '../database.testing';
import { DatabaseUnavailable } from '../unavailable';
import { type PostgresAddress, postgresAddress } from './address';

/**
 * A proxy between Charter and the PostgreSQL server; the specs make the proxy's connections fail. `direct` is the
 * address of the server without the proxy.
 */
let proxy: TcpProxy;
let direct: PostgresAddress;
let database: Database;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = await postgres();
  direct = postgresAddress(await server.fresh());
  proxy = await tcpProxy(direct.port);
  // Requests use five connections; the background work uses four more connections.
  database = await openDatabase({ server: { ...direct, port: proxy.port, host: '127.0.0.1', connections: 5 } });
  stop = server.stop;
}, 120_000);
afterEach(async () => {
  await proxy.mend();
  await untilAnswered();
});
afterAll(async () => {
  await database.close();
  await proxy.close();
  await stop();
});

const query = () => database.people.accounts.byEmail('unknown@example.com');
/** Waits until the database answers again without a restart. */
const untilAnswered = async () => {
  const from = performance.now();
  while ((await query().catch(() => 'failed')) === 'failed')
    if (performance.now() - from > 5_000) throw new Error('The database does not answer again.');
};
/** The error of a call, or `answered`. The call must end within `ms` milliseconds. */
const failure = (call: Promise<unknown>, ms: number) =>
  inTime(
    ms,
    call.then(
      () => 'answered',
      (why: unknown) => why,
    ),
  );
/** Each call must end within these milliseconds: the promised three seconds, and 300 ms for the way to the caller. */
const PROMISED_MS = 3_300;
/** `IDLE_MS` of `pool.ts`: the server ends a transaction that is idle for this time. */
const IDLE_LIMIT_MS = 3_000;
/** `LOCK` of `migrate.ts`. */
const MIGRATION_LOCK = 0x43484443;

describe('Calls to PostgreSQL', () => {
  it('fail within two seconds with DatabaseUnavailable while the server refuses connections', async () => {
    await proxy.refuse();
    expect(await failure(query(), 2_000)).toBeInstanceOf(DatabaseUnavailable);
  });

  it('end within three seconds while the proxy forwards no data', async () => {
    proxy.swallow();
    const failures = await Promise.all(Array.from({ length: 12 }, () => failure(query(), PROMISED_MS)));
    for (const one of failures) expect(one).toBeInstanceOf(DatabaseUnavailable);
  });

  it('read the stamps again after an outage in which the proxy forwards no data', async () => {
    await database.refreshStamps!();
    proxy.swallow();
    expect(await failure(database.refreshStamps!(), PROMISED_MS)).toBeInstanceOf(DatabaseUnavailable);
    await proxy.mend();
    await untilAnswered();
    expect(await failure(database.refreshStamps!(), PROMISED_MS)).toBe('answered');
  });

  it('end within three seconds and use at most nine connections when each answer takes two seconds (R6)', async () => {
    await Promise.all(Array.from({ length: 20 }, query));
    proxy.delay(1_000); // delays the data by a second in each direction
    let most = 0;
    const counting = setInterval(() => (most = Math.max(most, proxy.connections().length)), 20);
    const failures = await Promise.all(Array.from({ length: 40 }, () => failure(query(), PROMISED_MS)));
    clearInterval(counting);
    for (const one of failures) expect(one).toBeInstanceOf(DatabaseUnavailable);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5 + 4);
  });

  it('succeed after the network has cut idle connections', async () => {
    await Promise.all(Array.from({ length: 10 }, query));
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await query()).toBeUndefined();
  });

  it('use no connection again after it did not answer in time', async () => {
    await Promise.all(Array.from({ length: 5 }, query)); // opens all five connections for requests
    for (const connection of proxy.connections()) proxy.clog(connection);
    const failures = await Promise.all(Array.from({ length: 5 }, () => failure(query(), PROMISED_MS)));
    for (const one of failures) expect(one).toBeInstanceOf(DatabaseUnavailable);
    expect(await failure(query(), PROMISED_MS)).toBe('answered'); // this query uses a new connection
    proxy.cut();
  });

  it('read the stamps on a new connection after the old connection did not answer in time', async () => {
    await database.refreshStamps!();
    for (const connection of proxy.connections()) proxy.clog(connection);
    expect(await failure(database.refreshStamps!(), PROMISED_MS)).toBeInstanceOf(DatabaseUnavailable);
    expect(await failure(database.refreshStamps!(), PROMISED_MS)).toBe('answered');
    proxy.cut();
  });

  it('leave no change when the connection ends within a transaction', async () => {
    const admin = await connectedTo(direct);
    const ada = testAccount();
    await database.people.accounts.insert(ada);
    await admin.query('begin');
    await admin.query('select 1 from accounts where id = $1 for update', [ada.id]);
    const changing = failure(
      database.people.accounts.change(ada.id, 0, { name: 'Lost' }, { sessions: true }),
      10 * PROMISED_MS,
    );
    const waiting = `select pid from pg_stat_activity where application_name = 'charter' and wait_event_type = 'Lock'`;
    let pids: { pid: number }[] = [];
    while (pids.length === 0) ({ rows: pids } = await admin.query<{ pid: number }>(waiting));
    for (const { pid } of pids) await admin.query('select pg_terminate_backend($1)', [pid]);
    expect(await changing).toBeInstanceOf(DatabaseUnavailable);
    await admin.query('commit');
    await admin.end();
    expect(await database.people.accounts.byId(ada.id)).toEqual(ada);
  });

  it('make an account even if the connection ends after the commit and before the answer', async () => {
    const admin = await connectedTo(direct);
    const ada = testAccount();
    await admin.query('begin');
    await admin.query('lock table accounts in exclusive mode');
    const outcome = inTime(3 * PROMISED_MS, database.people.accounts.insert(ada));
    const waiting = `select 1 from pg_locks where relation = 'accounts'::regclass and not granted`;
    while ((await admin.query(waiting)).rowCount === 0) await pause(5);
    for (const connection of proxy.connections()) proxy.clog(connection);
    await admin.query('commit');
    while ((await admin.query('select 1 from accounts where id = $1', [ada.id])).rowCount === 0) await pause(5);
    await admin.end();
    proxy.cut();
    expect(await outcome).toBe('made');
  });

  it('migrate the tables even if an answer takes longer than the idle limit of other transactions', async () => {
    const schema = `${direct.schema}_late`;
    const admin = await connectedTo(direct);
    const lock = [MIGRATION_LOCK, schema];
    await admin.query('select pg_advisory_lock($1, hashtext($2))', lock);
    const opening = openDatabase({ server: { ...direct, port: proxy.port, host: '127.0.0.1', schema } });
    const closed = failure(
      opening.then((opened) => opened.close()),
      20_000,
    );
    const over = new AbortController();
    void closed.finally(() => over.abort()); // the specs must not wait for ever if the opening fails
    const waiting = `select 1 from pg_stat_activity where application_name = 'charter' and wait_event = 'advisory'`;
    while (!over.signal.aborted && (await admin.query(waiting)).rowCount === 0) await pause(20);
    proxy.delay(IDLE_LIMIT_MS + 300); // the server waits this long for the next statement
    await admin.query('select pg_advisory_unlock($1, hashtext($2))', lock);
    await pause(1_000);
    proxy.delay(0);
    const outcome = await closed;
    await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.end();
    expect(outcome).toBe('answered');
  }, 30_000);

  it('fail with DatabaseUnavailable while another transaction holds the row lock', async () => {
    const admin = await connectedTo(direct);
    const ada = testAccount();
    await database.people.accounts.insert(ada);
    await admin.query('begin');
    await admin.query('select 1 from accounts where id = $1 for update', [ada.id]);
    expect(await failure(database.people.accounts.erase(ada.id, testNow), PROMISED_MS)).toBeInstanceOf(
      DatabaseUnavailable,
    );
    await admin.query('rollback');
    await admin.end();
  });

  it('fail with errors that contain no values of rows', async () => {
    const failure = await database.people.accounts
      .insert(testAccount({ email: 'no-address' }))
      .catch((why: unknown) => why);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(DatabaseUnavailable);
    expect(JSON.stringify([Object.entries(failure as Error), (failure as Error).message])).not.toContain('no-address');
  });
});
