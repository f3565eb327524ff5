import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { databases, testNow } from '../database.testing';
import { message } from '../billing-inbox/inbox.testing';
import { aLink, aSession, testAccount, twoProcesses } from './people.testing';

describe.each(databases)('Accounts in %s', (_database, make) => {
  let processes: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    processes = await twoProcesses(make);
  });
  afterAll(() => processes.close());

  const insert = async (more: Parameters<typeof testAccount>[0] = {}) => {
    const account = testAccount(more);
    expect(await processes.here.accounts.insert(account)).toBe('made');
    return account;
  };

  describe('Accounts', () => {
    it('count as existing from the first account on, even after the erasure of this account', async () => {
      const fresh = await twoProcesses(make);
      expect(await fresh.here.accounts.existed()).toBe(false);
      const only = testAccount();
      await fresh.here.accounts.insert(only);
      expect(await fresh.there.accounts.existed()).toBe(true);
      await fresh.here.accounts.erase(only.id, testNow);
      expect(await fresh.there.accounts.existed()).toBe(true);
      await fresh.close();
    });

    it('are read as they were stored, in this process and in another process', async () => {
      const ada = await insert({
        email: 'ada@example.com',
        username: 'countess',
        name: 'Ada Lovelace',
        role: 'operator',
      });
      for (const { accounts } of [processes.here, processes.there]) {
        expect(await accounts.byId(ada.id)).toEqual(ada);
        expect(await accounts.byEmail('ada@example.com')).toEqual(ada);
        expect(await accounts.byUsername('countess')).toEqual(ada);
      }
      const bare = await insert({ emailVerified: false, passwordHash: null, state: 'invited', language: 'fi' });
      expect(await processes.there.accounts.byIds([bare.id, randomUUID()])).toEqual([bare]);
      expect(await processes.here.accounts.byIds([])).toEqual([]);
      expect(await processes.here.accounts.byEmail('unknown@example.com')).toBeUndefined();
    });

    it('store each preference separately and without a new account version, and store no preference after an erasure', async () => {
      const ada = await insert();
      const { accounts } = processes.here;
      expect(await accounts.prefer(ada.id, { timeZone: 'Europe/Helsinki', singleKeys: false })).toBe(true);
      expect(await accounts.prefer(ada.id, { language: 'fi', timeZone: undefined })).toBe(true);
      const chosen = { ...ada, language: 'fi', timeZone: 'Europe/Helsinki', singleKeys: false };
      expect(await processes.there.accounts.byId(ada.id)).toEqual(chosen);
      expect(await accounts.prefer(ada.id, { singleKeys: null, timeZone: null })).toBe(true);
      expect(await accounts.byId(ada.id)).toEqual({ ...ada, language: 'fi' });
      expect(await accounts.prefer(randomUUID(), { language: 'fi' })).toBe(false);
      await accounts.erase(ada.id, testNow);
      expect(await accounts.prefer(ada.id, { language: 'fi' })).toBe(false);
      expect(await accounts.byId(ada.id)).toMatchObject({ language: null, timeZone: null, singleKeys: null });
    });

    it('store another hash of the same password without a new version, but not after a change of the password', async () => {
      const ada = await insert();
      const { accounts } = processes.here;
      const stamp = processes.here.sessions.stamp?.();
      await accounts.rehash(ada.id, ada.passwordHash!, 'again');
      if (stamp !== undefined) expect(processes.here.sessions.stamp?.()).not.toBe(stamp); // no cache has the old hash
      expect(await processes.there.accounts.byId(ada.id)).toEqual({ ...ada, passwordHash: 'again' });
      await accounts.change(ada.id, 0, { passwordHash: 'another' });
      await accounts.rehash(ada.id, 'again', 'late');
      expect((await accounts.byId(ada.id))?.passwordHash).toBe('another');
    });

    it('are stored once when two processes insert the same account at the same time', async () => {
      const same = testAccount({ email: 'same@example.com' });
      const answers = await Promise.all([processes.here.accounts.insert(same), processes.there.accounts.insert(same)]);
      expect(answers.toSorted()).toEqual(['email-taken', 'made']);
    });

    it.each([
      ['an email address', 'email-taken', () => ({ email: 'twin@example.com' })],
      ['a username', 'username-taken', () => ({ username: 'twin' })],
      ['both', 'email-taken', () => ({ email: 'twins@example.com', username: 'twins' })],
    ] as const)('never share %s, even when two processes insert at the same time', async (_what, refusal, same) => {
      const accounts = Array.from({ length: 10 }, () => testAccount(same()));
      const outcomes = await Promise.all(
        accounts.map((account, n) => [processes.here, processes.there][n % 2]!.accounts.insert(account)),
      );
      expect(outcomes.toSorted()).toEqual([...Array<string>(9).fill(refusal), 'made'].toSorted());
      const stored = await processes.there.accounts.byIds(accounts.map(({ id }) => id));
      expect(stored).toEqual([accounts[outcomes.indexOf('made')]]);
    });

    it('refuse the username of an account that another process has stored', async () => {
      await insert({ username: 'first-come' });
      expect(await processes.there.accounts.insert(testAccount({ username: 'first-come' }))).toBe('username-taken');
    });

    it('refuse an email address as the username, and a username as the email address', async () => {
      await expect(processes.here.accounts.insert(testAccount({ username: 'ada@example.com' }))).rejects.toThrow(
        /username/,
      );
      await expect(processes.here.accounts.insert(testAccount({ email: 'countess' }))).rejects.toThrow(/email/);
      const plain = await insert();
      await expect(processes.here.accounts.change(plain.id, 0, { username: plain.email })).rejects.toThrow(/username/);
    });

    it('change only in the named fields, and only once for each version', async () => {
      const { id } = await insert({ name: 'Before' });
      const { accounts } = processes.here;
      expect(await accounts.change(id, 0, { name: 'After', role: 'auditor', passwordHash: null })).toBe('changed');
      const changed = await processes.there.accounts.byId(id);
      expect(changed).toMatchObject({
        name: 'After',
        role: 'auditor',
        passwordHash: null,
        emailVerified: true,
        version: 1,
      });
      expect(await accounts.change(id, 0, { name: 'Too late' })).toBe('stale');
      expect(await accounts.byId(id)).toEqual(changed);
      expect(await accounts.change(randomUUID(), 0, { name: 'Stranger' })).toBe('stale');

      const changes = [processes.here, processes.there, processes.here, processes.there].map(({ accounts: store }, n) =>
        store.change(id, 1, { name: `Racer ${n}` }),
      );
      expect((await Promise.all(changes)).sort()).toEqual(['changed', 'stale', 'stale', 'stale']);
    });

    it('refuse the email or username of another account', async () => {
      const [first, other] = [await insert({ username: 'one' }), await insert({ username: 'other' })];
      expect(await processes.here.accounts.change(first.id, 0, { email: other.email })).toBe('email-taken');
      expect(await processes.here.accounts.change(first.id, 0, { username: 'other' })).toBe('username-taken');
      expect(await processes.here.accounts.byId(first.id)).toEqual(first);
      expect(await processes.here.accounts.change(first.id, 0, { username: 'one', email: first.email })).toBe(
        'changed',
      );
    });

    it('lose their sessions and links in the same transaction as a change, if the caller requests it', async () => {
      const { id } = await insert();
      const [{ session }, { link }] = [aSession(id), aLink(id)];
      const other = await insert();
      const theirs = aSession(other.id).session;
      await processes.here.sessions.insert(session);
      await processes.here.sessions.insert(theirs);
      await processes.here.links.replace(link);

      expect(await processes.there.accounts.change(id, 7, { name: 'x' }, { sessions: true, links: true })).toBe(
        'stale',
      );
      expect(await processes.here.accounts.change(id, 0, { name: 'x' })).toBe('changed');
      expect(await processes.here.sessions.find(session.hash)).toBeDefined();
      expect(await processes.here.links.find(link.hash)).toBeDefined();
      expect(await processes.there.accounts.change(id, 1, { name: 'y' }, { sessions: true, links: true })).toBe(
        'changed',
      );
      expect(await processes.here.sessions.find(session.hash)).toBeUndefined();
      expect(await processes.here.links.find(link.hash)).toBeUndefined();
      expect(await processes.here.sessions.find(theirs.hash)).toBeDefined();
    });

    it('keep their sessions if a change that would end the sessions is refused as stale', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await insert();
        const { session } = aSession(id);
        await processes.here.sessions.insert(session);
        const [, second] = await Promise.all([
          processes.here.accounts.change(id, 0, { name: 'first' }),
          processes.there.accounts.change(id, 0, { name: 'second' }, { sessions: true }),
        ]);
        expect(await processes.here.sessions.find(session.hash)).toEqual(
          second === 'changed' ? undefined : expect.objectContaining({ session }),
        );
      }
    });

    it('are found by their current name, not by the previous name', async () => {
      const { id } = await insert({ name: 'Maiden Name', email: 'maiden@example.com' });
      await processes.here.accounts.change(id, 0, { name: 'Newly Called' });
      const found = async (q: string) =>
        (await processes.there.accounts.list({ q, limit: 20 })).accounts.map((account) => account.id);
      expect([await found('newly'), await found('maiden name'), await found('maiden@')]).toEqual([[id], [], [id]]);
    });

    it('are found by their subject at an identity provider; a subject belongs to only one account', async () => {
      const [ada, eve] = [await insert(), await insert()];
      const { accounts } = processes.here;
      await accounts.link(ada.id, 'https://issuer.example', 'subject-1', testNow);
      await accounts.link(ada.id, 'https://issuer.example', 'subject-1', testNow);
      expect(await processes.there.accounts.bySubject('https://issuer.example', 'subject-1')).toEqual(ada);
      expect(await accounts.bySubject('https://other.example', 'subject-1')).toBeUndefined();
      expect(await accounts.bySubject('https://issuer.example', 'subject-2')).toBeUndefined();
      await accounts.link(eve.id, 'https://issuer.example', 'subject-1', testNow);
      expect(await accounts.bySubject('https://issuer.example', 'subject-1')).toEqual(ada);
    });
  });

  describe('Account list', () => {
    let other: Awaited<ReturnType<typeof twoProcesses>>;
    beforeAll(async () => {
      other = await twoProcesses(make);
      for (const name of ['Élan', 'Bob 100%', 'Cyd_x', 'Dan']) {
        const email = `${name
          .normalize('NFKD')
          .replace(/[^a-z]/gi, '')
          .toLowerCase()}@example.com`;
        await other.here.accounts.insert(testAccount({ name, email, username: `u-${name.charCodeAt(0)}` }));
      }
    });
    afterAll(() => other.close());
    const emails = async (query: { q?: string; after?: string; limit?: number }) => {
      const { accounts, next } = await other.there.accounts.list({ limit: 20, ...query });
      return { emails: accounts.map(({ email }) => email?.split('@')[0]), next };
    };

    it('is sorted by email address and paged', async () => {
      expect(await emails({})).toEqual({ emails: ['bob', 'cydx', 'dan', 'elan'], next: undefined });
      const first = await emails({ limit: 3 });
      expect(first.emails).toEqual(['bob', 'cydx', 'dan']);
      expect(first.next).toMatch(/^dan/);
      expect(await emails({ limit: 3, after: first.next! })).toEqual({ emails: ['elan'], next: undefined });
    });

    it.each([
      ['ÉLA', ['elan']],
      ['@example', ['bob', 'cydx', 'dan', 'elan']],
      ['u-66', ['bob']],
      ['100%', ['bob']],
      ['0%', ['bob']],
      ['%', ['bob']],
      ['d_', ['cydx']],
      ['\\', []],
      ['unknown', []],
    ])('searches email address, username and name for %j', async (q, found) => {
      expect((await emails({ q })).emails).toEqual(found);
    });

    it('returns no erased accounts', async () => {
      const before = await emails({});
      const gone = testAccount();
      await other.here.accounts.insert(gone);
      expect((await emails({})).emails).toHaveLength(before.emails.length + 1);
      await other.here.accounts.erase(gone.id, testNow);
      expect(await emails({})).toEqual(before);
    });
  });

  describe('Erased account', () => {
    it('keeps its id, and loses its personal data, role, password, sessions, links and mails', async () => {
      const ada = await insert({
        email: 'erase-me@example.com',
        username: 'erase-me',
        name: 'Erase Me',
        role: 'auditor',
      });
      const [{ session }, { link }] = [aSession(ada.id), aLink(ada.id)];
      await processes.here.sessions.insert(session);
      await processes.here.links.replace(link);
      await processes.here.accounts.link(ada.id, 'https://issuer.example', 'subject-erased', testNow);
      const expires = new Date(testNow + 1_000).toISOString();
      const mail = {
        id: randomUUID(),
        kind: 'reset',
        account: ada.id,
        to: ada.email!,
        language: 'en',
        sealed: null,
        expires,
      };
      await processes.database.mails.enqueue(mail, testNow);

      expect(await processes.there.accounts.erase(ada.id, testNow)).toBe(true);
      const nothing = { email: null, username: null, name: null, role: null, language: null, passwordHash: null };
      const erased = { ...ada, ...nothing, state: 'erased', emailVerified: false, version: 1 };
      expect(await processes.here.accounts.byId(ada.id)).toEqual(erased);
      expect(await processes.here.accounts.bySubject('https://issuer.example', 'subject-erased')).toBeUndefined();
      expect(await processes.here.sessions.find(session.hash)).toBeUndefined();
      expect(await processes.here.links.find(link.hash)).toBeUndefined();
      expect(await processes.database.mails.find(mail.id)).toBeUndefined();
      expect((await processes.here.accounts.list({ q: 'erase', limit: 20 })).accounts).toEqual([]);

      expect(await processes.here.accounts.erase(ada.id, testNow)).toBe(false);
      expect(await processes.here.accounts.change(ada.id, 1, { name: 'Back' })).toBe('stale');
      expect(await processes.here.sessions.insert(aSession(ada.id).session)).toBe(false);
      expect(await processes.here.accounts.erase(randomUUID(), testNow)).toBe(false);
    });

    it.each([
      ['loses a Chinese name of two characters', '李明', '["[erased]","Bo"]'],
      ['keeps a Latin name of two letters, which would match too many words', 'Bo', '["李明","Bo"]'],
    ])('%s in messages of payment providers', async (_case, name, left) => {
      const { id } = await insert({ name });
      await processes.database.inbox.receive(message(`evt-${id}`, { raw: '["李明","Bo"]' }), testNow);
      await processes.here.accounts.erase(id, testNow);
      expect((await processes.database.inbox.find({ provider: 'stripe', id: `evt-${id}` }))!.raw).toBe(left);
    });

    it('disappears from messages of payment providers, also under each address to which Charter has sent a mail', async () => {
      const ada = await insert({ email: 'now@example.com', name: 'Ada Now' });
      const mail = { id: randomUUID(), kind: 'reset', account: ada.id, to: 'before@example.com' };
      await processes.database.mails.enqueue(
        { ...mail, language: 'en', sealed: null, expires: new Date(testNow + 1_000).toISOString() },
        testNow,
      );
      await processes.here.links.replace({ ...aLink(ada.id).link, email: 'wished@example.com' });
      const raw = JSON.stringify(['now@example.com', 'Ada Now', 'before@example.com', 'wished@example.com', 'Bob']);
      await processes.database.inbox.receive(message(ada.id, { raw }), testNow);
      await processes.here.accounts.erase(ada.id, testNow);
      const stored = await processes.database.inbox.find({ provider: 'stripe', id: ada.id });
      expect(JSON.parse(stored!.raw!)).toEqual([...Array<string>(4).fill('[erased]'), 'Bob']);
    });

    it('loses the mails and links to its address that Charter has stored with another account', async () => {
      const [bob, eve] = [await insert(), await insert()];
      const mail = { id: randomUUID(), kind: 'confirm-email', account: bob.id, to: eve.email!, language: 'en' };
      const expires = new Date(testNow + 1_000).toISOString();
      await processes.database.mails.enqueue({ ...mail, sealed: null, expires }, testNow);
      await processes.database.mails.enqueue(
        { ...mail, id: randomUUID(), to: bob.email!, sealed: null, expires },
        testNow,
      );
      await processes.here.links.replace({ ...aLink(bob.id).link, email: eve.email });
      await processes.here.links.replace({ ...aLink(bob.id, 'invitation').link, email: bob.email });
      await processes.here.accounts.erase(eve.id, testNow);
      const { mails, links } = await processes.here.holdingsOf(bob.id);
      expect([mails.map(({ to }) => to), links.map(({ email }) => email)]).toEqual([[bob.email], [bob.email]]);
    });

    it('keeps the address of another account in messages of payment providers', async () => {
      const [bob, eve] = [await insert(), await insert()];
      await processes.here.links.replace({ ...aLink(bob.id).link, email: eve.email });
      await processes.database.inbox.receive(message(bob.id, { raw: JSON.stringify([bob.email, eve.email]) }), testNow);
      await processes.here.accounts.erase(bob.id, testNow);
      const stored = await processes.database.inbox.find({ provider: 'stripe', id: bob.id });
      expect(JSON.parse(stored!.raw!)).toEqual(['[erased]', eve.email]);
    });

    it('frees its email address and username for a new account', async () => {
      const first = await insert({ email: 'again@example.com', username: 'again' });
      await processes.here.accounts.erase(first.id, testNow);
      const second = await insert({ email: 'again@example.com', username: 'again' });
      expect((await processes.here.accounts.byEmail('again@example.com'))?.id).toBe(second.id);
    });
  });

  describe('Named secrets', () => {
    it('are stored by name until they are removed', async () => {
      const { secrets } = processes.here;
      expect(
        await secrets.compareAndSet('sso:o-1', { expected: undefined, sealed: 'sealed-1', mark: 'sso:o-1:a' }),
      ).toBe(true);
      expect(
        await secrets.compareAndSet('sso:o-1', { expected: 'sealed-1', sealed: 'sealed-2', mark: 'sso:o-1:b' }),
      ).toBe(true);
      expect(await processes.there.secrets.get('sso:o-1')).toBe('sealed-2');
      await secrets.remove('sso:o-1', 'sealed-1');
      expect(await secrets.get('sso:o-1')).toBe('sealed-2');
      await secrets.remove('sso:o-1', 'sealed-2');
      const names = ['sso:o-1', 'sso:o-1:a', 'sso:o-1:b'];
      expect(await Promise.all(names.map((name) => processes.there.secrets.get(name)))).toEqual([undefined, '', '']);
    });

    it.each([undefined, 'sealed-1'])(
      'are replaced by one of several simultaneous callers that know %j',
      async (expected) => {
        if (expected !== undefined)
          await processes.here.secrets.compareAndSet('sso:o-2', { expected: undefined, sealed: expected, mark: '-' });
        const replaced = await Promise.all(
          Array.from({ length: 10 }, (_, n) => {
            const { secrets } = n % 2 ? processes.here : processes.there;
            return secrets.compareAndSet('sso:o-2', { expected, sealed: `new-${n}`, mark: `sso:o-2:${n}` });
          }),
        );
        expect(replaced.filter(Boolean)).toHaveLength(1);
        expect(await processes.here.secrets.get('sso:o-2')).toBe(`new-${replaced.indexOf(true)}`);
        const marks = await Promise.all(replaced.map((_, n) => processes.here.secrets.get(`sso:o-2:${n}`)));
        expect(marks.map((mark) => mark === '')).toEqual(replaced);
        await processes.here.secrets.remove('sso:o-2', `new-${replaced.indexOf(true)}`);
        for (const n of replaced.keys()) await processes.here.secrets.remove(`sso:o-2:${n}`, '');
      },
    );
  });
});

describe('Database file', () => {
  let processes: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    processes = await twoProcesses();
  });
  afterAll(() => processes.close());
  const insert = async () => {
    const account = testAccount();
    await processes.here.accounts.insert(account);
    return account;
  };

  it('contains no session cookie and no link token', async () => {
    const { id } = await insert();
    const sessions = Array.from({ length: 50 }, () => aSession(id));
    for (const { session } of sessions) await processes.here.sessions.insert(session);
    const { token, link } = aLink(id);
    await processes.here.links.replace(link);
    const { file } = processes.place.options as { file: string };
    const text = [file, `${file}-wal`].map((each) => readFileSync(each, 'latin1')).join('');
    expect(text).toContain(link.hash); // proves that the search of the file finds stored text
    const raw = [token, ...sessions.map(({ cookie }) => cookie)];
    const forms = raw.flatMap((secret) => {
      const bytes = Buffer.from(secret, 'base64url');
      return [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('latin1')];
    });
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
  });

  it('contains session hashes, which do not work as cookies', async () => {
    const { id } = await insert();
    const { session } = aSession(id);
    await processes.here.sessions.insert(session);
    const { sessionHash } = await import('@charter/identity');
    expect(await processes.here.sessions.find(sessionHash(session.hash))).toBeUndefined();
  });
});
