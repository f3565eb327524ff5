import { randomBytes, randomUUID } from 'node:crypto';
import { newKey } from '@charter/identity';
import type { Database } from '../database';
import { testAccount } from '../people/people.testing';
import { databases, type TestDatabase } from '../database.testing';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const now = Date.parse('2026-11-21T10:00:00.000Z');

describe.each(databases)('API keys in %s', (database, make) => {
  const isSynchronous = database === 'SQLite'; // SQLite answers synchronously and notifies caches of changes
  let place: TestDatabase;
  let documents: Database;
  let other: Database;
  beforeAll(async () => {
    place = await make();
    [documents, other] = [await place.open(), await place.open()];
  });
  afterAll(async () => {
    await documents.close();
    await other.close();
    await place.remove();
  });
  const insert = async (name: string, more = {}) => {
    const made = newKey({ name, scopes: ['organizations:read'], ...more }, random, now);
    await documents.keys.insert(made.record);
    return made;
  };

  it('are found by their prefix and read as they were stored', async () => {
    const { record } = await insert('reader', { organization: 'o-1', expires: '2027-01-01T00:00:00.000Z' });
    expect(await documents.keys.find(record.prefix)).toEqual(record);
    const atOnce = (prefix: string) => (isSynchronous ? documents.keys.findSync!(prefix) : documents.keys.find(prefix));
    expect(await atOnce(record.prefix)).toEqual(record);
    expect(await other.keys.find(record.prefix)).toEqual(record);
    expect(await documents.keys.find('chk_000000000000')).toBeUndefined();
    expect(await atOnce('chk_000000000000')).toBeUndefined();
    const { record: plain } = await insert('plain');
    expect(await atOnce(plain.prefix)).toEqual(plain);
    expect((await documents.keys.list()).map(({ name }) => name).sort()).toEqual(['plain', 'reader']);
  });

  it('are stored only for an active account, and are revoked when it is disabled, also in caches', async () => {
    const ada = testAccount();
    const newRecord = () =>
      newKey({ name: 'made', scopes: ['organizations:read'], madeBy: ada.id }, random, now).record;
    expect(await documents.keys.insert(newRecord())).toBe(false); // no such account
    await documents.people.accounts.insert(ada);
    const record = newRecord();
    expect(await documents.keys.insert(record)).toBe(true);
    expect(await other.keys.find(record.prefix)).toEqual(record);
    const stamps = [documents.keys.stamp?.(), other.keys.stamp?.()];
    const ends = { keys: '2026-11-21T10:00:00.000Z' };
    expect(await documents.people.accounts.change(ada.id, 0, { state: 'disabled' }, ends)).toBe('changed');
    expect((await documents.keys.find(record.prefix))?.revoked).toBe(ends.keys);
    if (isSynchronous) expect(documents.keys.stamp!()).not.toBe(stamps[0]);
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(stamps[1]);
    expect(await other.keys.insert(newRecord())).toBe(false); // disabled
    await documents.people.accounts.change(ada.id, 1, { state: 'active' });
    expect((await documents.keys.find(record.prefix))?.revoked).toBe(ends.keys);
  });

  it('are stored without their secret', async () => {
    const { key, record } = await insert('secret');
    const secret = key.slice(record.prefix.length + 1);
    expect(JSON.stringify(await documents.keys.list())).not.toContain(secret);
  });

  it('are revoked once, for every process at once', async () => {
    const before = other.keys.stamp?.();
    const { record } = await insert('revoked');
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(before);
    const [mine, theirs] = [documents.keys.stamp?.(), other.keys.stamp?.()];
    expect(documents.keys.stamp?.()).toBe(mine);
    expect(await other.keys.revoke(record.id, now)).toBe(true);
    expect((await documents.keys.find(record.prefix))?.revoked).toBe('2026-11-21T10:00:00.000Z');
    if (isSynchronous) expect(documents.keys.findSync!(record.prefix)?.revoked).toBe('2026-11-21T10:00:00.000Z');
    if (isSynchronous) expect(documents.keys.stamp!()).not.toBe(mine);
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(theirs);
    expect(await other.keys.revoke(record.id, now)).toBe(false);
    expect(await other.keys.revoke(randomUUID(), now)).toBe(false);
  });

  it('keep their stamp when this or another process changes other data', async () => {
    const stamp = documents.keys.stamp?.();
    await documents.marks.set('anything', 'else');
    expect(documents.keys.stamp?.()).toBe(stamp);
    await other.marks.set('anything', 'new');
    expect(documents.keys.stamp?.()).toBe(stamp);
  });

  it('store their last use at most once a minute', async () => {
    const { record } = await insert('used');
    const used = async (at: number) => {
      await documents.keys.touch(record.id, at);
      return (await documents.keys.find(record.prefix))?.used;
    };
    expect(await used(now)).toBe('2026-11-21T10:00:00.000Z');
    expect(await used(now + 59_999)).toBe('2026-11-21T10:00:00.000Z');
    expect(await used(now + 60_000)).toBe('2026-11-21T10:01:00.000Z');
  });
});
