import { randomBytes, randomUUID } from 'node:crypto';
import { noPreferences, type Account, newLink, newSession } from '@charter/identity';
import type { Database } from '../database';
import { sqliteTestDatabase, type TestDatabase, testNow } from '../database.testing';

export const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

/** Opens the same database twice, like two processes. */
export async function twoProcesses(make: () => Promise<TestDatabase> = sqliteTestDatabase) {
  const place = await make();
  const [database, other]: [Database, Database] = [await place.open(), await place.open()];
  const close = async () => {
    await database.close();
    await other.close();
    await place.remove();
  };
  return { database, other, here: database.people, there: other.people, place, close };
}

/** An active account with unique identifiers. */
export function testAccount(more: Partial<Account> = {}): Account {
  const id = randomUUID();
  return {
    id,
    state: 'active',
    email: `${id}@example.com`,
    emailVerified: true,
    username: null,
    name: null,
    role: null,
    ...noPreferences,
    passwordHash: '$argon2id$…',
    created: new Date(testNow).toISOString(),
    version: 0,
    ...more,
  };
}

export const aSession = (account: string, at = testNow) => newSession(account, 'password', 'Firefox', random, at);
export const aLink = (account: string, purpose: 'reset' | 'invitation' = 'reset', at = testNow) =>
  newLink(purpose, account, null, random, at);
