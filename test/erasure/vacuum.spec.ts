import { postgresAddress } from '@charter/database';
import { openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import type { Client } from 'pg';
import { connectedTo } from '../../libs/database/src/database.testing';
import { testAccount } from '../../libs/database/src/people/people.testing';
import { replayMissedErasures } from '../../apps/api/src/process/restore-detection';
import { CommandLine, ended, eventually } from '../cli/command-line';
import { postgres } from '../support/stores/postgres';
import { secrets } from '../support/secrets';
import { serving } from '../support/serving';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';
import { personalTexts } from './personal-texts';

const { name, email } = personalTexts;
const touched = [
  'account_subjects',
  'accounts',
  'api_keys',
  'billing_messages',
  'former_introductions',
  'introductions',
  'links',
  'mails',
  'sessions',
];

describe('U6: Vacuum of PostgreSQL after an erasure', () => {
  let charter: CommandLine;
  let environment: Readonly<Record<string, string>>;
  /**
   * Connections of other clients. `locker` keeps a transaction open, in which statistics would not change, so
   * `observer` reads the statistics.
   */
  let observer: Client;
  let locker: Client;
  const ada = testAccount({ name, email });
  beforeEach(async () => {
    charter = new CommandLine();
    const DOCUMENTS = await (await postgres()).fresh();
    environment = { ...secrets, DOCUMENTS };
    const here = await openCharter(parseSettings({ CHARTER_DATA: charter.data, ...environment }), 'beside');
    await here.database.people.accounts.insert(ada);
    await here.close();
    observer = await connectedTo(postgresAddress(DOCUMENTS));
    locker = await connectedTo(postgresAddress(DOCUMENTS));
  });
  afterEach(async () => {
    await observer.end();
    await locker.end();
    charter.remove();
  });

  const erase = () => charter.start(['accounts', 'erase', ada.id, '--yes', '--json'], environment);
  const ask = async (sql: string) => (await observer.query<Record<string, unknown>>(sql)).rows;
  const vacuumed = async () => {
    const tables = await ask(`select relname from pg_stat_user_tables
      where schemaname = current_schema() and last_vacuum is not null order by relname`);
    return tables.map(({ relname }) => relname);
  };
  const waiting = `pg_stat_activity where query like 'vacuum%accounts%' and wait_event_type = 'Lock'`;
  const waits = async () => (await ask(`select pid from ${waiting}`)).length > 0;
  /** Prevents a vacuum of the table, but allows queries. */
  const lock = () => locker.query('begin; lock table billing_messages in share update exclusive mode');

  /** Erases the account with the command line, and kills the process and its connection before the vacuum has ended. */
  const eraseAndCrash = async () => {
    await lock();
    const erasing = erase();
    await eventually(waits);
    erasing.kill('SIGKILL');
    expect((await ended(erasing)).signal).toBe('SIGKILL');
    await ask(`select pg_terminate_backend(pid, 10000) from ${waiting}`);
    expect((await ask(`select state from accounts where id = '${ada.id}'`))[0]).toEqual({ state: 'erased' });
  };

  it('has ended when the command line prints the certificate', async () => {
    expect(await vacuumed()).toEqual([]);
    const { code, stdout } = await ended(erase());
    expect(await vacuumed()).toEqual(touched);
    const answer = JSON.parse(stdout) as { certificate: string; remains: string };
    expect([code, typeof answer.certificate]).toEqual([0, 'string']);
    expect(answer.remains).toContain('unused space');
    expect(answer.remains).not.toContain('within a minute');
  }, 60_000);

  it('begins after the answer of an erasure over HTTP, and ends within a minute', async () => {
    const served = await serving({ folder: charter.data, environment });
    const here = await signedIn(served, await person(served));
    expect(await vacuumed()).toEqual([]);
    const { status, body } = await here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect([status, body.remains]).toEqual([200, expect.stringContaining('within a minute')]);
    const answered = Date.now();
    await eventually(async () => (await vacuumed()).length === touched.length || Date.now() - answered > 60_000);
    expect(await vacuumed()).toEqual(touched);
    await served.stop();
  }, 90_000);

  it('delays the end of the command while another database session locks a table', async () => {
    await lock();
    const erasing = erase();
    const end = ended(erasing);
    await eventually(waits);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(erasing.exitCode).toBeNull();
    await locker.query('commit');
    expect([(await end).code, await vacuumed()]).toEqual([0, touched]);
  }, 60_000);

  it('is run by the next server, if a crash ended the command line before its vacuum', async () => {
    await eraseAndCrash();
    await locker.query('commit');
    expect(await vacuumed()).not.toContain('billing_messages');
    const served = await serving({ folder: charter.data, environment });
    await eventually(async () => (await vacuumed()).length === touched.length);
    await served.stop();
  }, 60_000);

  it('is run by a server that is already running, which repeats the vacuum until it succeeds', async () => {
    const served = await serving({ folder: charter.data, environment });
    const bookmark = () => served.charter.database.marks.get('erasures-follow');
    await eraseAndCrash();
    const sweeping = replayMissedErasures(served.runtime);
    await eventually(waits);
    expect(await bookmark()).toBeUndefined();
    await ask(`select pg_cancel_backend(pid) from ${waiting}`);
    await eventually(async () => !(await waits()));
    await eventually(waits);
    expect(await bookmark()).toBeUndefined();
    await locker.query('commit');
    await sweeping;
    expect([typeof (await bookmark()), await vacuumed()]).toEqual(['string', touched]);
    await served.stop();
  }, 60_000);
});
