import { newKey } from '@charter/identity';
import { aSession, random, testAccount } from './people.testing';
import { databases, sqliteTestDatabase, testNow } from '../database.testing';

describe.each(databases)('Import of people into %s', (_, make) => {
  it('copies people, API keys and stored answers from a file, and refuses a target that already contains accounts', async () => {
    const [before, place] = [await sqliteTestDatabase(), await make()];
    const [old, here] = [await before.open(), await place.open()];
    const { file } = before.options as Extract<typeof before.options, { file: string }>;
    const people = Array.from({ length: 450 }, () => testAccount());
    for (const account of people) await old.people.accounts.insert(account);
    const [ada] = people;
    const { session } = aSession(ada!.id);
    await old.people.sessions.insert(session);
    await old.people.secrets.compareAndSet('sso', { expected: undefined, sealed: 'sealed', mark: 'sso:1' });
    const { record } = newKey({ name: 'old', scopes: ['organizations:read'] }, random, testNow);
    await old.keys.insert(record);
    const answer = { status: 201, headers: {}, body: '{}' };
    await old.receipts.claim('key', 'body');
    await old.receipts.answer('key', answer);
    await old.marks.set('demo', 'on');
    await old.marks.set('served-at', 'http://localhost:3000');

    const imported = await here.importPeople(file);
    expect(imported).toMatchObject({ accounts: 450, sessions: 1, secrets: 2, api_keys: 1, receipts: 1, mails: 0 });
    for (const account of [ada!, people.at(-1)!]) expect(await here.people.accounts.byId(account.id)).toEqual(account);
    expect((await here.people.sessions.find(session.hash))?.account.id).toBe(ada!.id);
    expect(await here.keys.find(record.prefix)).toEqual(record);
    expect(await here.receipts.claim('key', 'body')).toMatchObject({ kind: 'answered', answer });
    expect([await here.marks.get('demo'), await here.marks.get('served-at')]).toEqual(['on', undefined]);

    await expect(here.importPeople(file)).rejects.toThrow('The tables already contain accounts');
    await Promise.all([old.close(), here.close()]);
    await Promise.all([before.remove(), place.remove()]);
  });
});
