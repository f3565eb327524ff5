import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, postgresAddress } from '@charter/database';
import { connectedTo } from '../../../libs/database/src/database.testing';
import { askDuring, type Operation, meetingPlaces } from '../../crash/callers';
import { begunLife } from '../../crash/life';
import { expectEqualReadModel } from '../../crash/oracle';
import { expectClearOutcomes } from '../../operation/broken-store';
import { expectWhole } from '../../processes/observing';
import { send } from '../../support/requests/http';
import { several } from '../../support/network/processes';
import { postgres } from '../../support/stores/postgres';

const HELD_MS = 10_000;

/**
 * The maximum time in milliseconds until the server refuses a request. A request may wait for several stores, one after
 * the other.
 */
const WITHIN_MS = 10_000;

const count = (operations: readonly Operation[], outcome: Operation['outcome']) =>
  operations.filter((operation) => operation.outcome === outcome).length;
const longest = (operations: readonly Operation[]) => Math.round(Math.max(...operations.map(({ took }) => took!)));

describe('R7: A lock that another process holds for ten seconds', () => {
  it.each(['events', 'documents'] as const)(
    'on the file of %s makes the server refuse the requests that need the file; no command is lost or executed twice',
    async (file) => {
      const life = await begunLife({ RATE_LIMITS: 'off' });
      try {
        const { url } = life.server();
        await life.during(() => pause(500));
        const statuses: number[] = [];
        const operations = await life.during(async () => {
          const other = new DatabaseSync(life.charter[file], { timeout: 5_000 });
          other.exec('BEGIN IMMEDIATE');
          for (const end = Date.now() + HELD_MS; Date.now() < end;) {
            await pause(200);
            const answer = await send(`${url}/api/v1/organizations?limit=10`, 'GET', { key: life.key });
            statuses.push(answer.status, (await send(`${url}/health/live`, 'GET', {})).status);
          }
          other.exec('ROLLBACK');
          other.close();
        });
        process.stdout.write(`${file}: ${count(operations, 'unknown')} postponed, ${longest(operations)} ms at most\n`);
        expectClearOutcomes(operations, WITHIN_MS);
        expect(count(operations, 'unknown')).toBeGreaterThan(10);
        expect(statuses.filter((status) => status !== 200)).toEqual([]); // reads succeed while the lock is held

        await pause(1_000);
        const after = await life.during(() => pause(2_000));
        expect([count(after, 'unknown'), count(after, 'odd')]).toEqual([0, 0]);
        expect(count(after, 'acknowledged')).toBeGreaterThan(20);
        await life.reconcile();
        await expectEqualReadModel(life.charter, 'complete');
      } finally {
        await life.end();
      }
    },
  );

  it.each([
    // A process answers from the keys in its memory; it reads the table only for a key that it does not know.
    ['the table of keys', 'lock table api_keys in access exclusive mode', false],
    ['the table of receipts', 'lock table receipts in access exclusive mode', true],
    ['the table of documents', 'lock table documents in access exclusive mode', false],
    ['the rows of editions', 'select * from editions for update', false],
  ] as const)(
    'in PostgreSQL on %s delays only requests that need the locked rows, and no command is lost or executed twice',
    async (_, lock, isNeeded) => {
      const all = await several({ RATE_LIMITS: 'off' });
      try {
        const server = await all.start();
        const asking = { url: server.url, key: await all.key() };
        const places = await meetingPlaces(asking, 5);
        const other = await connectedTo(postgresAddress(all.settings['DOCUMENTS']!));
        const holding = async () => {
          await other.query('begin');
          await other.query(lock);
          await pause(HELD_MS);
          await other.query('rollback');
        };
        const operations = await askDuring(asking, places, holding());
        await other.end();
        process.stdout.write(`${lock}: ${count(operations, 'unknown')} postponed, ${longest(operations)} ms at most\n`);
        expectClearOutcomes(operations, WITHIN_MS);
        expect(count(operations, 'unknown') > 10).toBe(isNeeded);

        await pause(1_000);
        const after = await askDuring(asking, places, pause(2_000));
        expect([count(after, 'unknown'), count(after, 'odd')]).toEqual([0, 0]);
        expect(count(after, 'acknowledged')).toBeGreaterThan(20);
        await expectWhole(all, [...operations, ...after]);
      } finally {
        await all.end();
      }
    },
  );
});

it('A process waits for the migration of another process, even if this migration takes more than half a minute', async () => {
  const server = await postgres();
  const address = postgresAddress(await server.fresh());
  const other = await connectedTo(address);
  const lock = [MIGRATION_LOCK, address.schema];
  await other.query('select pg_advisory_lock($1, hashtext($2))', lock);
  const opening = openDatabase({ server: address });
  opening.catch(() => undefined);
  await pause(33_000);
  await other.query('select pg_advisory_unlock($1, hashtext($2))', lock);
  await (await opening).close();
  await other.end();
  await server.stop();
}, 120_000);

/** Charter's advisory lock in PostgreSQL: the letters "CHDC". */
const MIGRATION_LOCK = 0x43484443;
