import { generateKeySync } from 'node:crypto';
import { secureRandom } from '@charter/application';
import type { Database } from '@charter/database';
import { type EventLog, MemoryLog, type StoredEvent } from '@charter/event-log';
import { NO_ACCOUNT, sealSecret } from '@charter/identity';
import { verifyChain } from '@charter/integrity';
import pino from 'pino';
import { sqliteTestDatabase, type TestDatabase } from '../../../../libs/database/src/database.testing';
import { auditTrail } from '../../../../libs/application/src/accounts/audit-trail';
import type { DeferredContents } from '../process/work/deferred-contents';
import { startDeferredWork } from '../process/work/deferred-work';
import { auditHandler } from './audit-facts';

let place: TestDatabase;
let database: Database;
let log: EventLog;
let now: number;
beforeEach(async () => {
  place = await sqliteTestDatabase();
  database = await place.open();
  now = Date.parse('2026-11-21T10:00:00.000Z');
  log = new MemoryLog();
  const append = log.append.bind(log);
  // Like EventStoreDB, this log does not report whether it already contained the events.
  log.append = async (...given) => ({ ...(await append(...given)), repeated: undefined as never });
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

const key = generateKeySync('hmac', { length: 256 });
const add = (id: string, command?: string) => {
  const content: DeferredContents['audit'] = {
    account: NO_ACCOUNT,
    fact: { type: 'SignInFailed', data: { method: 'password', reason: 'unknown' } },
    context: {
      actor: { kind: 'system', id: 'spec', powers: [] },
      at: new Date(now).toISOString(),
      correlation: '',
      ...(command !== undefined && { command }),
    },
  };
  const sealed = sealSecret(key, JSON.stringify(content), secureRandom);
  return database.deferred.add({ id, kind: 'audit', sealed }, now);
};
const idOf = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`;

/** A process with its own cache. If it crashes, it does its work but deletes no entry. */
function process() {
  const trail = auditTrail(log);
  return async ({ crashes = false } = {}) => {
    const done = crashes ? () => Promise.reject(new Error('crashed')) : database.deferred.done;
    const deferred = { ...database.deferred, done };
    const work = startDeferredWork(
      { database: { ...database, deferred }, keyFor: () => key, now: () => now, logger: pino({ level: 'silent' }) },
      { reset: { do: jest.fn() }, 'confirm-email': { do: jest.fn() }, audit: auditHandler({ trail }) },
    );
    work.stop();
    await work.settled();
  };
}

async function recorded() {
  const events: StoredEvent[] = [];
  for await (const event of log.readStream(`account-${NO_ACCOUNT}`)) events.push(event);
  expect(await verifyChain(events)).toMatchObject({ ok: true });
  return events.map(({ data }) => (data as { attempts: number }).attempts);
}

describe('Equal audit facts about names without an account', () => {
  it.each([1, 9])('are counted once if a process crashes after it has recorded them (new entry: %i)', async (digit) => {
    const [first, second] = [process(), process()];
    await add(idOf(4));
    await second();
    await Promise.all([5, 6].map((one) => add(idOf(one))));
    await first({ crashes: true });
    now += 31_000;
    await add(idOf(digit));
    await second();
    await add(idOf(7));
    await second();
    expect((await recorded()).sort()).toEqual([1, 1, 1, 2]);
    expect(await database.deferred.waiting()).toBe(0);
  });

  it('are counted once if the repetition of a full round of work begins with new entries', async () => {
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((one) => add(idOf(one))));
    await process()({ crashes: true });
    now += 1_000;
    await add(idOf(9));
    now += 30_000;
    await process()();
    expect(await recorded()).toEqual([8, 1]);
    expect(await database.deferred.waiting()).toBe(0);
  });

  it('are all counted if some of them have a command id', async () => {
    await Promise.all([add(idOf(5), idOf(1)), add(idOf(6))]);
    await process()({ crashes: true });
    now += 31_000;
    await Promise.all([add(idOf(7), idOf(2)), add(idOf(8))]);
    await process()();
    expect(await recorded()).toEqual([2, 2]);
  });
});
