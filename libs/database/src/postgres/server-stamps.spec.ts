import { randomUUID } from 'node:crypto';
import { newKey } from '@charter/identity';
import { postgresTestDatabase, testNow } from '../database.testing';
import type { Database } from '../database';
import { aSession, random, testAccount, twoProcesses } from '../people/people.testing';
import { counted, countingView, named, opened, projectAll } from '../read-model/counting-view.testing';

const stampsOf = async ({ refreshStamps, keys, people, stamp }: Database) => {
  await refreshStamps!();
  return { keys: keys.stamp!(), sessions: people.sessions.stamp!(), all: stamp!() };
};

describe('Stamps of a PostgreSQL', () => {
  it('change at the next call after another process has revoked a key, ended a session, or changed an account', async () => {
    const { database: one, other, close } = await twoProcesses(postgresTestDatabase);
    const account = testAccount();
    await other.people.accounts.insert(account);
    const { record } = newKey({ name: 'a spec', scopes: ['organizations:read'] }, random, testNow);
    await other.keys.insert(record);
    const { session } = aSession(account.id);
    await other.people.sessions.insert(session);
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['keys all', () => other.keys.revoke(record.id, testNow)],
      ['keys sessions all', () => other.people.sessions.end(session.id, account.id)],
      ['keys sessions all', () => other.people.accounts.prefer(account.id, { language: 'fi' })],
      ['keys sessions all', () => other.people.accounts.rehash(account.id, account.passwordHash!, 'again')],
      ['all', () => other.people.introductions.add(randomUUID(), account.id)],
      ['keys sessions all', () => other.people.accounts.erase(account.id, testNow)],
    ];
    for (const [changed, change] of changes) {
      const before = await stampsOf(one);
      expect(await stampsOf(one)).toEqual(before);
      await change();
      const after = await stampsOf(one);
      const different = (['keys', 'sessions', 'all'] as const).filter((name) => after[name] !== before[name]);
      expect(different.join(' ')).toBe(changed);
    }
    await close();
  });

  it('change at the next call after a projector of another process has committed', async () => {
    const { place, database, log, write, close } = await opened(postgresTestDatabase);
    const other = await place.open();
    const view = database.view(countingView());
    const seen: unknown[] = [];
    for (const event of [named('Acme'), counted(), counted()]) {
      await write('tally-a', event);
      await projectAll(log, other.view(countingView()));
      await database.refreshStamps!();
      seen.push(view.stampSync!());
      await database.refreshStamps!();
      expect(view.stampSync!()).toBe(seen.at(-1));
    }
    expect(new Set(seen).size).toBe(3);
    await other.close();
    await close();
  });

  it('are unknown after a query that failed, until a later query succeeds', async () => {
    const { database: one, place, close } = await twoProcesses(postgresTestDatabase);
    await stampsOf(one);
    expect(one.keys.stamp!()).toBeDefined();
    await place.run('alter table marks rename to hidden');
    await expect(one.refreshStamps!()).rejects.toThrow();
    expect([one.keys.stamp!(), one.people.sessions.stamp!(), one.stamp!()]).toEqual([undefined, undefined, undefined]);
    await place.run('alter table hidden rename to marks');
    expect((await stampsOf(one)).keys).toBeDefined();
    await close();
  });
});
