import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { databases } from '../database.testing';
import { aLink, aSession, now, testAccount, twoProcesses } from './people.testing';

describe.each(databases)('people in %s: accounts', (_database, make) => {
  let world: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    world = await twoProcesses(make);
  });
  afterAll(() => world.close());

  const insert = async (more: Parameters<typeof testAccount>[0] = {}) => {
    const account = testAccount(more);
    expect(await world.here.accounts.insert(account)).toBe('made');
    return account;
  };

  describe('accounts', () => {
    it('are found as they were made, here and in another process', async () => {
      const ada = await insert({
        email: 'ada@example.com',
        username: 'countess',
        name: 'Ada Lovelace',
        role: 'operator',
      });
      for (const { accounts } of [world.here, world.there]) {
        expect(await accounts.byId(ada.id)).toEqual(ada);
        expect(await accounts.byEmail('ada@example.com')).toEqual(ada);
        expect(await accounts.byUsername('countess')).toEqual(ada);
      }
      const bare = await insert({ emailVerified: false, passwordHash: null, state: 'invited', language: 'fi' });
      expect(await world.there.accounts.byIds([bare.id, randomUUID()])).toEqual([bare]);
      expect(await world.here.accounts.byIds([])).toEqual([]);
      expect(await world.here.accounts.byEmail('nobody@example.com')).toBeUndefined();
    });

    it('are inserted once when two processes insert the same account at once', async () => {
      const same = testAccount({ email: 'same@example.com' });
      const answers = await Promise.all([world.here.accounts.insert(same), world.there.accounts.insert(same)]);
      expect(answers.toSorted()).toEqual(['email-taken', 'made']);
    });

    it('share no identifier, also when both come at once from two processes', async () => {
      const made = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          [world.here, world.there][n % 2]!.accounts.insert(testAccount({ email: 'twin@example.com' })),
        ),
      );
      expect(made.filter((outcome) => outcome === 'made')).toHaveLength(1);
      expect(made.filter((outcome) => outcome === 'email-taken')).toHaveLength(9);

      await insert({ username: 'twin' });
      expect(await world.there.accounts.insert(testAccount({ username: 'twin' }))).toBe('username-taken');
    });

    it('never have an address for a username, or a username for an address', async () => {
      await expect(world.here.accounts.insert(testAccount({ username: 'ada@example.com' }))).rejects.toThrow(
        /username/,
      );
      await expect(world.here.accounts.insert(testAccount({ email: 'countess' }))).rejects.toThrow(/email/);
      const plain = await insert();
      await expect(world.here.accounts.change(plain.id, 0, { username: plain.email })).rejects.toThrow(/username/);
    });

    it('change what is named, once for each version', async () => {
      const { id } = await insert({ name: 'Before' });
      const { accounts } = world.here;
      expect(await accounts.change(id, 0, { name: 'After', role: 'auditor', passwordHash: null })).toBe('changed');
      const changed = await world.there.accounts.byId(id);
      expect(changed).toMatchObject({
        name: 'After',
        role: 'auditor',
        passwordHash: null,
        emailVerified: true,
        version: 1,
      });
      expect(await accounts.change(id, 0, { name: 'Too late' })).toBe('stale');
      expect(await accounts.byId(id)).toEqual(changed);
      expect(await accounts.change(randomUUID(), 0, { name: 'Nobody' })).toBe('stale');

      const at = [world.here, world.there, world.here, world.there].map(({ accounts: some }, n) =>
        some.change(id, 1, { name: `Racer ${n}` }),
      );
      expect((await Promise.all(at)).sort()).toEqual(['changed', 'stale', 'stale', 'stale']);
    });

    it('do not take an identifier of another account', async () => {
      const [one, other] = [await insert({ username: 'one' }), await insert({ username: 'other' })];
      expect(await world.here.accounts.change(one.id, 0, { email: other.email })).toBe('email-taken');
      expect(await world.here.accounts.change(one.id, 0, { username: 'other' })).toBe('username-taken');
      expect(await world.here.accounts.byId(one.id)).toEqual(one);
      expect(await world.here.accounts.change(one.id, 0, { username: 'one', email: one.email })).toBe('changed');
    });

    it('end their sessions and links in the same transaction, if the change says so', async () => {
      const { id } = await insert();
      const [{ session }, { link }] = [aSession(id), aLink(id)];
      const stranger = await insert();
      const theirs = aSession(stranger.id).session;
      await world.here.sessions.insert(session);
      await world.here.sessions.insert(theirs);
      await world.here.links.replace(link);

      expect(await world.there.accounts.change(id, 7, { name: 'x' }, { sessions: true, links: true })).toBe('stale');
      expect(await world.here.accounts.change(id, 0, { name: 'x' })).toBe('changed');
      expect(await world.here.sessions.find(session.hash)).toBeDefined();
      expect(await world.here.links.find(link.hash)).toBeDefined();
      expect(await world.there.accounts.change(id, 1, { name: 'y' }, { sessions: true, links: true })).toBe('changed');
      expect(await world.here.sessions.find(session.hash)).toBeUndefined();
      expect(await world.here.links.find(link.hash)).toBeUndefined();
      expect(await world.here.sessions.find(theirs.hash)).toBeDefined();
    });

    it('end no session when another process changed them first', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { id } = await insert();
        const { session } = aSession(id);
        await world.here.sessions.insert(session);
        const [, ending] = await Promise.all([
          world.here.accounts.change(id, 0, { name: 'first' }),
          world.there.accounts.change(id, 0, { name: 'second' }, { sessions: true }),
        ]);
        expect(await world.here.sessions.find(session.hash)).toEqual(
          ending === 'changed' ? undefined : expect.objectContaining({ session }),
        );
      }
    });

    it('are found by what they are called now', async () => {
      const { id } = await insert({ name: 'Maiden Name', email: 'maiden@example.com' });
      await world.here.accounts.change(id, 0, { name: 'Newly Called' });
      const found = async (q: string) =>
        (await world.there.accounts.list({ q, limit: 20 })).accounts.map((one) => one.id);
      expect([await found('newly'), await found('maiden name'), await found('maiden@')]).toEqual([[id], [], [id]]);
    });

    it('are found only by their own subject at a provider', async () => {
      const [ada, eve] = [await insert(), await insert()];
      const { accounts } = world.here;
      await accounts.link(ada.id, 'https://issuer.example', 'subject-1', now);
      await accounts.link(ada.id, 'https://issuer.example', 'subject-1', now);
      expect(await world.there.accounts.bySubject('https://issuer.example', 'subject-1')).toEqual(ada);
      expect(await accounts.bySubject('https://other.example', 'subject-1')).toBeUndefined();
      expect(await accounts.bySubject('https://issuer.example', 'subject-2')).toBeUndefined();
      await accounts.link(eve.id, 'https://issuer.example', 'subject-1', now);
      expect(await accounts.bySubject('https://issuer.example', 'subject-1')).toEqual(ada);
    });
  });

  describe('a list of accounts', () => {
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
    const emails = async (wish: { q?: string; after?: string; limit?: number }) => {
      const { accounts, next } = await other.there.accounts.list({ limit: 20, ...wish });
      return { emails: accounts.map(({ email }) => email?.split('@')[0]), next };
    };

    it('is in the order of addresses, page by page', async () => {
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
      ['nobody', []],
    ])('looks for %j in address, username and name', async (q, found) => {
      expect((await emails({ q })).emails).toEqual(found);
    });

    it('leaves out erased accounts', async () => {
      const before = await emails({});
      const gone = testAccount();
      await other.here.accounts.insert(gone);
      expect((await emails({})).emails).toHaveLength(before.emails.length + 1);
      await other.here.accounts.erase(gone.id, now);
      expect(await emails({})).toEqual(before);
    });
  });

  describe('an erased account', () => {
    it('is an id, and nothing else that it had is left', async () => {
      const ada = await insert({
        email: 'erase-me@example.com',
        username: 'erase-me',
        name: 'Erase Me',
        role: 'auditor',
      });
      const [{ session }, { link }] = [aSession(ada.id), aLink(ada.id)];
      await world.here.sessions.insert(session);
      await world.here.links.replace(link);
      await world.here.accounts.link(ada.id, 'https://issuer.example', 'subject-erased', now);
      const expires = new Date(now + 1_000).toISOString();
      const mail = {
        id: randomUUID(),
        kind: 'reset',
        account: ada.id,
        to: ada.email!,
        language: 'en',
        sealed: null,
        expires,
      };
      await world.documents.mails.enqueue(mail, now);

      expect(await world.there.accounts.erase(ada.id, now)).toBe(true);
      const nothing = { email: null, username: null, name: null, role: null, language: null, passwordHash: null };
      const erased = { ...ada, ...nothing, state: 'erased', emailVerified: false, version: 1 };
      expect(await world.here.accounts.byId(ada.id)).toEqual(erased);
      expect(await world.here.accounts.bySubject('https://issuer.example', 'subject-erased')).toBeUndefined();
      expect(await world.here.sessions.find(session.hash)).toBeUndefined();
      expect(await world.here.links.find(link.hash)).toBeUndefined();
      expect(await world.documents.mails.find(mail.id)).toBeUndefined();
      expect((await world.here.accounts.list({ q: 'erase', limit: 20 })).accounts).toEqual([]);

      expect(await world.here.accounts.erase(ada.id, now)).toBe(false);
      expect(await world.here.accounts.change(ada.id, 1, { name: 'Back' })).toBe('stale');
      expect(await world.here.sessions.insert(aSession(ada.id).session)).toBe(false);
      expect(await world.here.accounts.erase(randomUUID(), now)).toBe(false);
    });

    it('leaves its address to a new and different account', async () => {
      const first = await insert({ email: 'again@example.com', username: 'again' });
      await world.here.accounts.erase(first.id, now);
      const second = await insert({ email: 'again@example.com', username: 'again' });
      expect((await world.here.accounts.byEmail('again@example.com'))?.id).toBe(second.id);
    });
  });

  describe('secrets of others', () => {
    it('are kept by name until they are removed', async () => {
      const { secrets } = world.here;
      await secrets.set('sso:o-1', 'sealed-1');
      await secrets.set('sso:o-1', 'sealed-2');
      expect(await world.there.secrets.get('sso:o-1')).toBe('sealed-2');
      await secrets.remove('sso:o-1');
      expect(await world.there.secrets.get('sso:o-1')).toBeUndefined();
    });
  });
});

describe('the file', () => {
  let world: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    world = await twoProcesses();
  });
  afterAll(() => world.close());
  const insert = async () => {
    const account = testAccount();
    await world.here.accounts.insert(account);
    return account;
  };

  it('holds neither a session’s cookie nor a link’s token', async () => {
    const { id } = await insert();
    const sessions = Array.from({ length: 50 }, () => aSession(id));
    for (const { session } of sessions) await world.here.sessions.insert(session);
    const { token, link } = aLink(id);
    await world.here.links.replace(link);
    const { file } = world.place.options as { file: string };
    const text = [file, `${file}-wal`].map((each) => readFileSync(each, 'latin1')).join('');
    expect(text).toContain(link.hash); // so it would be found
    const raw = [token, ...sessions.map(({ cookie }) => cookie)];
    const forms = raw.flatMap((secret) => {
      const bytes = Buffer.from(secret, 'base64url');
      return [secret, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('latin1')];
    });
    expect(forms.filter((form) => text.includes(form))).toEqual([]);
  });

  it('does not let in a caller who sends a stored session hash as the cookie', async () => {
    const { id } = await insert();
    const { session } = aSession(id);
    await world.here.sessions.insert(session);
    const { sessionHash } = await import('@charter/identity');
    expect(await world.here.sessions.find(sessionHash(session.hash))).toBeUndefined();
  });
});
