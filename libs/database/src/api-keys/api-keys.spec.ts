import { randomBytes, randomUUID } from 'node:crypto';
import { newKey } from '@charter/identity';
import type { Database } from '../database';
import { testAccount } from '../people/people.testing';
import { databases, folder, type TestDatabase } from '../database.testing';
import { queryPlanOf } from '../schema/query-plan.testing';
import { openTables } from '../sqlite/open-tables';
import { listedKeys } from './api-keys';

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };
const now = Date.parse('2026-11-21T10:00:00.000Z');

describe.each(databases)('API keys in %s', (dialect, make) => {
  const isSynchronous = dialect === 'SQLite'; // only SQLite offers `stamp`, which shows caches that a key has changed
  let place: TestDatabase;
  let database: Database;
  let other: Database;
  beforeAll(async () => {
    place = await make();
    [database, other] = [await place.open(), await place.open()];
  });
  afterAll(async () => {
    await database.close();
    await other.close();
    await place.remove();
  });
  const insert = async (name: string, more = {}) => {
    const made = newKey({ name, scopes: ['organizations:read'], ...more }, random, now);
    await database.keys.insert(made.record);
    return made;
  };

  it('are found by their prefix, with the same values that were stored', async () => {
    const { record } = await insert('reader', { organization: 'o-1', expires: '2027-01-01T00:00:00.000Z' });
    expect(await database.keys.find(record.prefix)).toEqual(record);
    expect(await other.keys.find(record.prefix)).toEqual(record);
    for (const unknown of ['chk_000000000000', 'chk_ffffffffffff', `${record.prefix}0`, record.prefix.slice(0, -1)])
      expect(await database.keys.find(unknown)).toBeUndefined();
    const { record: plain } = await insert('plain');
    expect(await database.keys.find(plain.prefix)).toEqual(plain);
    expect(await other.keys.find(record.prefix)).toEqual(record);
    expect((await database.keys.list()).map(({ name }) => name).sort()).toEqual(['plain', 'reader']);
  });

  it('of a person are stored only for an active operator, and are revoked when Charter disables this operator', async () => {
    const ada = testAccount({ role: 'operator' });
    const newRecord = () =>
      newKey({ name: 'made', scopes: ['organizations:read'], madeBy: ada.id }, random, now).record;
    expect(await database.keys.insert(newRecord())).toBe(false); // no account has this id
    await database.people.accounts.insert(ada);
    const [record, revokedBefore] = [newRecord(), newRecord()];
    expect(await database.keys.insert(record)).toBe(true);
    expect(await other.keys.find(record.prefix)).toEqual(record);
    expect(await database.keys.insert(revokedBefore)).toBe(true);
    expect(await database.keys.revoke(revokedBefore.id, now - 1_000)).toBe(true);
    const stamps = [database.keys.stamp?.(), other.keys.stamp?.()];
    const ends = { keys: '2026-11-21T10:00:00.000Z' };
    expect(await database.people.accounts.change(ada.id, 0, { state: 'disabled' }, ends)).toBe('changed');
    expect((await database.keys.find(record.prefix))?.revoked).toBe(ends.keys);
    expect((await database.keys.find(revokedBefore.prefix))?.revoked).toBe('2026-11-21T09:59:59.000Z');
    if (isSynchronous) expect(database.keys.stamp!()).not.toBe(stamps[0]);
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(stamps[1]);
    expect(await other.keys.insert(newRecord())).toBe(false); // this account is disabled
    await database.people.accounts.change(ada.id, 1, { state: 'active' });
    expect((await database.keys.find(record.prefix))?.revoked).toBe(ends.keys);
    await database.people.accounts.change(ada.id, 2, { role: 'auditor' });
    expect(await other.keys.insert(newRecord())).toBe(false); // this account is no longer an operator
  });

  it('are listed in pages, without missing or repeated keys', async () => {
    for (const name of ['one', 'two', 'three']) await insert(name);
    const all = await database.keys.list();
    const seen = [...(await database.keys.list({ limit: 2 }))];
    seen.push(...(await database.keys.list({ after: seen.at(-1), limit: 1 })));
    expect(seen).toHaveLength(3);
    seen.push(...(await database.keys.list({ after: seen.at(-1) })));
    expect(seen).toEqual(all);
  });

  it('are stored without the secret part of the key', async () => {
    const { key, record } = await insert('secret');
    const secret = key.slice(record.prefix.length + 1);
    expect(JSON.stringify(await database.keys.list())).not.toContain(secret);
  });

  it('are revoked only once, and every process reads the revocation immediately', async () => {
    const before = other.keys.stamp?.();
    const { record } = await insert('revoked');
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(before);
    const [mine, theirs] = [database.keys.stamp?.(), other.keys.stamp?.()];
    expect(database.keys.stamp?.()).toBe(mine);
    expect(await other.keys.revoke(record.id, now)).toBe(true);
    expect((await database.keys.find(record.prefix))?.revoked).toBe('2026-11-21T10:00:00.000Z');
    if (isSynchronous) expect(database.keys.stamp!()).not.toBe(mine);
    if (isSynchronous) expect(other.keys.stamp!()).not.toBe(theirs);
    expect(await other.keys.revoke(record.id, now)).toBe(false);
    expect(await other.keys.revoke(randomUUID(), now)).toBe(false);
  });

  it('keep the same cache stamp when a process changes other data', async () => {
    const stamp = database.keys.stamp?.();
    await database.marks.set('anything', 'else');
    expect(database.keys.stamp?.()).toBe(stamp);
    await other.marks.set('anything', 'new');
    expect(database.keys.stamp?.()).toBe(stamp);
  });

  it('store their last use at most once a minute', async () => {
    const { record } = await insert('used');
    const used = async (at: number) => {
      await database.keys.touch(record.id, at);
      return (await database.keys.find(record.prefix))?.used;
    };
    expect(await used(now)).toBe('2026-11-21T10:00:00.000Z');
    expect(await used(now + 59_999)).toBe('2026-11-21T10:00:00.000Z');
    expect(await used(now + 60_000)).toBe('2026-11-21T10:01:00.000Z');
  });
});

it('The list of API keys reads only the rows of its page', async () => {
  const { file, remove } = folder();
  const { tables, close } = await openTables(file());
  const after = { created: '2026-11-21T10:00:00.000Z', id: randomUUID() };
  const plan = await queryPlanOf(tables, 'explain query plan', listedKeys(tables, { after, limit: 10 }));
  await close();
  remove();
  expect(plan).toEqual(['SEARCH api_keys USING INDEX api_keys_created ((created,id)>(?,?))']);
});
