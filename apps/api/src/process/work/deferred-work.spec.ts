import { generateKeySync, randomUUID } from 'node:crypto';
import { secureRandom } from '@charter/application';
import type { Database } from '@charter/database';
import { sealSecret } from '@charter/identity';
import pino from 'pino';
import { sqliteTestDatabase, type TestDatabase } from '../../../../../libs/database/src/database.testing';
import type { DeferredContents } from './deferred-contents';
import { type DeferredWork, startDeferredWork } from './deferred-work';

let place: TestDatabase;
let database: Database;
let work: DeferredWork;
let start: () => DeferredWork;
const key = generateKeySync('hmac', { length: 256 });
let done: string[];
beforeEach(async () => {
  place = await sqliteTestDatabase();
  database = await place.open();
  done = [];
  const noted = {
    do: ({ account }: { account: string }, { count }: { count: number }) =>
      Promise.resolve(done.push(...Array<string>(count).fill(account))),
    sameAs: ({ account }: { account: string }) => account, // one call handles all waiting entries of one account
  };
  // The process takes all waiting work at once, so that a spec with thousands of entries needs fewer commits.
  const take: typeof database.deferred.take = (at, until) => database.deferred.take(at, until, 10_000);
  start = () =>
    startDeferredWork(
      {
        database: { ...database, deferred: { ...database.deferred, take } },
        keyFor: () => key,
        now: Date.now,
        logger: pino({ level: 'silent' }),
      },
      { reset: { do: () => Promise.resolve() }, 'confirm-email': noted, audit: noted },
    );
  work = start();
});
afterEach(async () => {
  work.stop();
  await work.settled();
  await database.close();
  await place.remove();
});

const contentFor = (account: string) => ({
  ...{ account, version: 0, credentialsDigest: '' },
  ...{ email: 'ada@example.com', language: 'en', at: '' },
});
const entry: DeferredContents['audit'] = {
  account: 'ada',
  fact: { type: 'SignInFailed', data: { method: 'password', reason: 'unknown' } },
  context: { actor: { kind: 'system', id: 'spec', powers: [] }, at: '', correlation: '' },
};
const add = (account: string) => work.add('confirm-email', account, contentFor(account));

describe('Deferred work', () => {
  it("for one account is accepted up to the account's share, and again after the waiting work is done", async () => {
    const all = await Promise.allSettled(Array.from({ length: 1_001 }, () => add('ada')));
    expect(all.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { status: 503 } }]);
    await add('bob');
    await work.settled();
    await add('ada');
    await work.settled();
    expect(done.filter((account) => account === 'ada')).toHaveLength(1_001);
  }, 20_000);

  it('is done in the order in which a process accepted it', async () => {
    const accounts = Array.from({ length: 30 }, (_, number) => `account ${number}`);
    for (const account of accounts) await add(account);
    await work.settled();
    expect(done).toEqual(accounts);
  });

  it('for one account is accepted again after another process has done the waiting work', async () => {
    work.stop(); // so that only the other process does the work
    const other = start();
    await Promise.all(Array.from({ length: 1_000 }, () => add('ada')));
    await other.settled();
    other.stop();
    expect(done).toHaveLength(1_000);
    await work.settled();
    await add('ada');
  }, 20_000);

  it('of one kind is accepted up to 8,000 waiting entries; work of other kinds is still accepted', async () => {
    work.stop(); // so that no work is done before `settled`
    // Each account has fewer entries than its share.
    const accounts = Array.from({ length: 8_001 }, (_, index) => `account ${index % 9}`);
    const all = await Promise.allSettled(accounts.map(add));
    expect(all.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { status: 503 } }]);
    await expect(add('ada')).rejects.toMatchObject({ status: 503 });
    await work.add('audit', 'ada', entry);
    await work.settled();
    expect(done).toHaveLength(8_001); // 8,000 entries of one kind, and one of the other kind
    await add('ada');
    await work.settled();
    expect(done).toHaveLength(8_002);
  }, 60_000);

  it('of a crashed process is done by another process that started before the crash', async () => {
    await add('own');
    const isDone = async (account: string) => {
      // otherwise the spec ends at its time limit
      while (!done.includes(account)) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await isDone('own');
    const sealed = sealSecret(key, JSON.stringify(contentFor('of the crashed process')), secureRandom);
    await database.deferred.add({ id: randomUUID(), kind: 'confirm-email', sealed }, Date.now());
    await isDone('of the crashed process');
    expect(done).toEqual(['own', 'of the crashed process']);
  }, 20_000);
});
