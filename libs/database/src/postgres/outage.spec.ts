import { postgres } from '../../../../test/support/stores/postgres';
import { type TcpProxy, tcpProxy } from '../../../../test/support/network/tcp-proxy';
import { openDatabase } from '../open-database';
import { now, testAccount } from '../people/people.testing';
import type { Database } from '../database';
import { connectedTo } from '../database.testing';
import { DatabaseUnavailable } from '../unavailable';
import { type PostgresAddress, postgresAddress } from './address';

/** A proxy in front of the server that can fail; connections beside it reach the server. */
let door: TcpProxy;
let beside: PostgresAddress;
let documents: Database;
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = await postgres();
  beside = postgresAddress(await server.fresh());
  door = await tcpProxy(beside.port);
  // And four at work.
  documents = await openDatabase({ server: { ...beside, port: door.port, host: '127.0.0.1', connections: 5 } });
  stop = server.stop;
});
afterEach(async () => {
  await door.mend();
  await back();
});
afterAll(async () => {
  await documents.close();
  await door.close();
  await stop();
});

const ask = () => documents.people.accounts.byEmail('nobody@example.com');
/** Waits until the database answers again by itself. */
const back = async () => {
  const from = performance.now();
  while ((await ask().catch(() => 'failed')) === 'failed')
    if (performance.now() - from > 5_000) throw new Error('It does not come back.');
};
/** The outcome of a call, and its duration in milliseconds. */
const outcome = async (asked: Promise<unknown>) => {
  const from = performance.now();
  const failure = await asked.then(
    () => 'answered',
    (why: unknown) => why,
  );
  return { failure, after: performance.now() - from };
};

describe('while PostgreSQL', () => {
  it('refuses connections, every call fails at once with DatabaseUnavailable', async () => {
    await door.refuse();
    const { failure, after } = await outcome(ask());
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(after).toBeLessThan(2_000);
  });

  it('swallows everything, every call ends within three seconds, and swallowed calls do no harm later', async () => {
    door.swallow();
    const asked = await Promise.all(Array.from({ length: 12 }, () => outcome(ask())));
    for (const { failure, after } of asked) {
      expect(failure).toBeInstanceOf(DatabaseUnavailable);
      expect(after).toBeLessThan(3_300);
    }
  });

  it('takes two seconds for an answer, connections stay few, and every call ends within three seconds (R6)', async () => {
    await Promise.all(Array.from({ length: 20 }, ask));
    door.delay(1_000); // each way
    let most = 0;
    const counting = setInterval(() => (most = Math.max(most, door.connections().length)), 20);
    const asked = await Promise.all(Array.from({ length: 40 }, () => outcome(ask())));
    clearInterval(counting);
    for (const { failure, after } of asked) {
      expect(failure).toBeInstanceOf(DatabaseUnavailable);
      expect(after).toBeLessThan(3_300);
    }
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5 + 4);
  });

  it('cuts connections that lie idle, the process lives, and the next one is answered', async () => {
    await Promise.all(Array.from({ length: 10 }, ask));
    door.cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ask()).toBeUndefined();
  });

  it('ends connections amid a transaction, all of it is undone', async () => {
    const admin = await connectedTo(beside);
    const ada = testAccount();
    await documents.people.accounts.insert(ada);
    await admin.query('begin');
    await admin.query('select 1 from accounts where id = $1 for update', [ada.id]);
    const changing = outcome(documents.people.accounts.change(ada.id, 0, { name: 'Lost' }, { sessions: true }));
    const waiting = `select pid from pg_stat_activity where application_name = 'charter' and wait_event_type = 'Lock'`;
    let pids: { pid: number }[] = [];
    while (pids.length === 0) ({ rows: pids } = await admin.query<{ pid: number }>(waiting));
    for (const { pid } of pids) await admin.query('select pg_terminate_backend($1)', [pid]);
    expect((await changing).failure).toBeInstanceOf(DatabaseUnavailable);
    await admin.query('commit');
    await admin.end();
    expect(await documents.people.accounts.byId(ada.id)).toEqual(ada);
  });

  it('holds a row for too long, it is unavailable and not a fault of ours', async () => {
    const admin = await connectedTo(beside);
    const ada = testAccount();
    await documents.people.accounts.insert(ada);
    await admin.query('begin');
    await admin.query('select 1 from accounts where id = $1 for update', [ada.id]);
    const { failure, after } = await outcome(documents.people.accounts.erase(ada.id, now));
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect(after).toBeLessThan(3_300);
    await admin.query('rollback');
    await admin.end();
  });

  it('fails, its words about rows are not handed on', async () => {
    const failure = await documents.people.accounts
      .insert(testAccount({ email: 'no-address' }))
      .catch((why: unknown) => why);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(DatabaseUnavailable);
    expect(JSON.stringify([Object.entries(failure as Error), (failure as Error).message])).not.toContain('no-address');
  });
});
