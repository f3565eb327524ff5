import { randomUUID } from 'node:crypto';
import type { EventLog } from '@charter/event-log';
import { verifyChain } from '@charter/integrity';
import { faulty } from '../../support/stores/faults';
import { advanceToMidnight, eventsOf, keyId, type Served, serving } from '../../support/serving';

const DAY_MS = 86_400_000;

let served: Served;
beforeEach(async () => {
  served = await serving();
  advanceToMidnight(served.clock);
});
afterEach(() => served.close());

const use = (key: string, by = served) => by.ask('GET', `/api/v1/organizations/${randomUUID()}`, { key });
const usesOf = async (key: string, by = served) => {
  await by.runtime.backgroundWork.settled();
  return eventsOf(by, `key-${await keyId(by, key)}`);
};

it('the service records only the first use of an API key on each day', async () => {
  const key = await served.key();
  expect(await usesOf(key)).toEqual([]);
  await Promise.all([use(key), use(key), use(key)]);
  served.clock.advance(61_000); // the time after which the process drops a cached key
  await use(key);
  const today = new Date(served.clock.now()).toISOString().slice(0, 10);
  const [first, ...more] = await usesOf(key);
  expect(first).toMatchObject({
    type: 'KeyUsed',
    data: { day: today },
    metadata: { actor: { kind: 'key', id: await keyId(served, key) } },
  });
  expect(more).toEqual([]);

  served.clock.advance(DAY_MS);
  await use(key);
  const events = await usesOf(key);
  expect(events).toHaveLength(2);
  expect(await verifyChain(events)).toMatchObject({ ok: true });
});

it('two processes together record the use of an API key once', async () => {
  const other = await serving({ folder: served.folder, role: 'beside', clock: served.clock });
  const key = await served.key();
  await Promise.all([use(key), use(key, other)]);
  await Promise.all([usesOf(key), usesOf(key, other)]);
  expect(await usesOf(key)).toHaveLength(1);
  await other.stop();
});

it('the use of a wrong, expired or revoked API key is not recorded', async () => {
  const expired = await served.key({ expires: new Date(served.clock.now() + 60_000).toISOString() });
  const revoked = await served.key();
  await served.charter.database.keys.revoke(await keyId(served, revoked), served.clock.now());
  served.clock.advance(60_000);
  for (const key of [expired, revoked, `${(await served.key()).slice(0, -3)}AAA`]) {
    expect((await use(key)).status).toBe(401);
    expect(await usesOf(key)).toEqual([]);
  }
});

it('an API key works while its use cannot be recorded, and the use is recorded later', async () => {
  const faults: Partial<EventLog> = { append: () => Promise.reject(new Error('The disk is full.')) };
  const between = faulty({ log: faults });
  const failing = await serving({ folder: served.folder, role: 'beside', clock: served.clock, between });
  const key = await served.key();
  expect((await use(key, failing)).status).toBe(404);
  expect(await usesOf(key, failing)).toEqual([]);
  expect(failing.entries()).toContainEqual(expect.objectContaining({ what: 'the use of a key' }));
  delete faults.append;
  failing.clock.advance(61_000);
  await use(key, failing);
  expect(await usesOf(key, failing)).toHaveLength(1);
  await failing.stop();
});
