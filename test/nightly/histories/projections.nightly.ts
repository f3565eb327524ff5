import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCharter } from '@charter/application';
import { openDatabase } from '@charter/database';
import { MemoryLog, type StoredEvent } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import { parseSettings } from '@charter/settings';
import { faultyStore } from '../../../libs/database/src/read-model/faulty.testing';
import { live } from '../../projections/history';
import { allOf, appendAgain, catchUp, expectRebuiltEqual, hashOf, type Store } from '../../projections/projecting';
import { times } from '../length';

const folder = mkdtempSync(join(tmpdir(), 'charter-nightly-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns this number of events of random organizations, recorded in a log in memory. */
async function eventsOf(count: number): Promise<readonly StoredEvent[]> {
  const log = new MemoryLog();
  // more commands than events, because most commands are refused or change nothing
  await live(log, count * 12, Math.ceil(count / 20));
  const events = await allOf(log);
  await log.close();
  expect(events.length).toBeGreaterThanOrEqual(count);
  return events.slice(0, count);
}

async function withStore<Result>(name: string, work: (store: Store, file: string) => Promise<Result>): Promise<Result> {
  const file = join(folder, name);
  const database = await openDatabase({ file });
  return work(database.view(organizationView), file).finally(() => database.close());
}

it.each([
  [times(10_000, 100_000), times(200, 1_000)],
  [200_000, 1_000],
])(
  'O1: After %i commands on %i organizations, the live documents equal a rebuild from the log',
  async (commands, organizations) => {
    const data = join(folder, `o1-${commands}`);
    const charter = await openCharter(parseSettings({ CHARTER_DATA: data }), 'server');
    await expectRebuiltEqual(charter, commands, organizations);
    await charter.close();
  },
);

it('O3: A projection that stops after each of 1,000 events stores the same documents as a projection that does not stop', async () => {
  const events = await eventsOf(1_000);
  const log = new MemoryLog();
  const stepwise = await withStore('o3.db', async (store) => {
    for (const event of events) {
      await appendAgain(log, event);
      await catchUp(log, store, 1);
    }
    return hashOf(log, store);
  });
  const atOnce = await withStore('o3-at-once.db', async (store) => {
    await catchUp(log, store);
    return hashOf(log, store);
  });
  expect(stepwise).toBe(atOnce);
  await log.close();
});

it.each(['before', 'after'] as const)(
  'O4: A projection stores the same documents even if an SQL statement fails %s its execution',
  async (when) => {
    const log = new MemoryLog();
    for (const event of await eventsOf(times(60, 300))) await appendAgain(log, event);
    const run = (failAt: number) =>
      withStore(`o4-${when}-${failAt}.db`, async (store, file) => {
        const faulty = faultyStore({ file }, organizationView, failAt, when);
        await catchUp(log, faulty.store, 20);
        await faulty.close();
        return { statements: faulty.statements(), hash: await hashOf(log, store) };
      });
    const whole = await run(Infinity);
    expect(whole.statements).toBeGreaterThan(30);
    for (let failAt = 1; failAt <= whole.statements; failAt += 1) expect((await run(failAt)).hash).toBe(whole.hash);
    await log.close();
  },
);
