import { randomUUID } from 'node:crypto';
import { newSession, sessionHash } from '@charter/identity';
import { databases, testNow } from '../database.testing';
import { aLink, aSession, random, testAccount, twoProcesses } from './people.testing';

describe.each(databases)('Sessions and links in %s', (_database, make) => {
  let processes: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    processes = await twoProcesses(make);
  });
  afterAll(() => processes.close());

  const person = async (more: Parameters<typeof testAccount>[0] = {}) => {
    const account = testAccount(more);
    await processes.here.accounts.insert(account);
    return account;
  };
  const begin = async (account: string, at = testNow) => {
    const { cookie, session } = aSession(account, at);
    expect(await processes.here.sessions.insert(session)).toBe(true);
    return { cookie, session };
  };

  describe('Session', () => {
    it('is found by its cookie, together with its account, in this process and in another process', async () => {
      const ada = await person({ name: 'Ada', role: 'operator' });
      const { cookie, session } = await begin(ada.id);
      const both = { session, account: ada };
      for (const { sessions } of [processes.here, processes.there]) {
        expect(await sessions.find(sessionHash(cookie))).toEqual(both);
        expect(await sessions.find(sessionHash('other'))).toBeUndefined();
      }
    });

    it('stores the only organization that it may access', async () => {
      const { session } = newSession((await person()).id, 'sso', 'Firefox', random, testNow, 'o-1');
      await processes.here.sessions.insert(session);
      expect((await processes.there.sessions.find(session.hash))?.session).toEqual(session);
    });

    it.each(['disabled', 'invited', 'erased'] as const)(
      'is neither found nor begun while its account is %s',
      async (state) => {
        const ada = await person();
        const { session } = await begin(ada.id);
        if (state === 'erased') await processes.there.accounts.erase(ada.id, testNow);
        else await processes.there.accounts.change(ada.id, 0, { state });
        expect(await processes.here.sessions.find(session.hash)).toBeUndefined();
        expect(await processes.here.sessions.insert(aSession(ada.id).session)).toBe(false);
      },
    );

    it('does not begin when the account changed after the password check', async () => {
      const ada = await person();
      expect(await processes.here.sessions.insert(aSession(ada.id).session, 0)).toBe(true);
      await processes.there.accounts.change(ada.id, 0, { passwordHash: 'new' }, { sessions: true });
      expect(await processes.here.sessions.insert(aSession(ada.id).session, 0)).toBe(false);
      expect(await processes.here.sessions.insert(aSession(ada.id).session, 1)).toBe(true);
      expect(await processes.here.sessions.insert(aSession(randomUUID()).session)).toBe(false);
    });

    it('stores its last use at most once a minute', async () => {
      const { session } = await begin((await person()).id);
      const used = async (at: number) => {
        await processes.here.sessions.touch(session.id, at);
        return (await processes.there.sessions.find(session.hash))?.session.used;
      };
      expect(await used(testNow + 59_999)).toBe('2026-11-21T10:00:00.000Z');
      expect(await used(testNow + 60_000)).toBe('2026-11-21T10:01:00.000Z');
      expect(await used(testNow)).toBe('2026-11-21T10:01:00.000Z');
    });

    it('ends for all processes at once when its owner ends it, and another account cannot end it', async () => {
      const [ada, eve] = [await person(), await person()];
      const { session } = await begin(ada.id);
      expect(await processes.there.sessions.end(session.id, eve.id)).toBe(false);
      expect(await processes.here.sessions.find(session.hash)).toBeDefined();
      expect(await processes.there.sessions.end(session.id, ada.id)).toBe(true);
      expect(await processes.here.sessions.find(session.hash)).toBeUndefined();
      expect(await processes.there.sessions.end(session.id, ada.id)).toBe(false);
    });

    it('ends when the caller ends all sessions of its account, unless the caller excludes it', async () => {
      const [ada, eve] = [await person(), await person()];
      const mine = [await begin(ada.id), await begin(ada.id), await begin(ada.id)];
      const theirs = await begin(eve.id);
      expect(await processes.there.sessions.endAll(ada.id, mine[1]!.session.id)).toBe(2);
      const left = await Promise.all(mine.map(({ session }) => processes.here.sessions.find(session.hash)));
      expect(left.map((found) => found?.session)).toEqual([undefined, mine[1]!.session, undefined]);
      expect(await processes.here.sessions.endAll(ada.id)).toBe(1);
      expect(await processes.here.sessions.endAll(ada.id)).toBe(0);
      expect(await processes.here.sessions.find(theirs.session.hash)).toBeDefined();
    });

    it("is listed with its account's sessions, newest first, if it was used after a given time", async () => {
      const { id } = await person();
      const begun = [await begin(id, testNow), await begin(id, testNow + 2_000), await begin(id, testNow + 1_000)];
      const since = async (at: number) =>
        (await processes.there.sessions.listOf(id, new Date(at).toISOString())).map((session) => session.id);
      const ids = begun.map(({ session }) => session.id);
      expect(await since(testNow)).toEqual([ids[1], ids[2], ids[0]]);
      expect(await since(testNow + 1_000)).toEqual([ids[1], ids[2]]);
      expect(await processes.here.sessions.listOf(randomUUID(), new Date(testNow).toISOString())).toEqual([]);
    });

    it('is deleted when it was unused for too long or has existed for too long', async () => {
      const { id } = await person();
      const [old, idle, live] = [
        await begin(id, testNow - 9_000),
        await begin(id, testNow - 5_000),
        await begin(id, testNow),
      ];
      const sweep = (usedBefore: number, beganBefore: number) =>
        processes.here.sessions.sweep({
          usedBefore: new Date(usedBefore).toISOString(),
          beganBefore: new Date(beganBefore).toISOString(),
        });
      await processes.here.sessions.touch(old.session.id, testNow + 60_000);
      expect(await sweep(testNow - 9_001, testNow - 9_000)).toBe(1);
      expect(await processes.here.sessions.find(old.session.hash)).toBeUndefined();
      expect(await sweep(testNow - 5_000, testNow - 9_000)).toBe(1);
      expect(await processes.here.sessions.find(idle.session.hash)).toBeUndefined();
      expect(await processes.here.sessions.find(live.session.hash)).toBeDefined();
    });
  });

  describe('Link', () => {
    it('is taken only once, although twenty callers try to take it at the same time', async () => {
      const { id } = await person();
      const { link } = aLink(id);
      await processes.here.links.replace(link);
      expect(await processes.there.links.find(link.hash)).toEqual(link);
      const takes = Array.from({ length: 20 }, (_, n) =>
        [processes.here, processes.there][n % 2]!.links.take(link.hash),
      );
      expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(1);
      expect(await processes.here.links.find(link.hash)).toBeUndefined();
    });

    it('stops working when a newer link for the same purpose replaces it, or when Charter drops all links of the account', async () => {
      const [ada, eve] = [await person(), await person()];
      const [first, second, invitation, theirs] = [
        aLink(ada.id),
        aLink(ada.id),
        aLink(ada.id, 'invitation'),
        aLink(eve.id),
      ];
      for (const { link } of [first, invitation, theirs, second]) await processes.here.links.replace(link);
      const works = () =>
        Promise.all(
          [first, second, invitation, theirs].map(async ({ link }) => !!(await processes.there.links.find(link.hash))),
        );
      expect(await works()).toEqual([false, true, true, true]);
      await processes.there.links.dropAll(ada.id);
      expect(await works()).toEqual([false, false, false, true]);
      expect(await processes.here.links.take(second.link.hash)).toBe(false);
    });

    it('is deleted after it has expired', async () => {
      const { link } = aLink((await person()).id, 'reset', testNow - 30 * 60_000);
      await processes.here.links.replace(link);
      expect(await processes.here.links.sweep(Date.parse(link.expires) - 1)).toBe(0);
      expect(await processes.here.links.find(link.hash)).toBeDefined();
      expect(await processes.here.links.sweep(Date.parse(link.expires))).toBe(1);
    });
  });
});

describe('Session cache over a SQLite file', () => {
  let processes: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    processes = await twoProcesses();
  });
  afterAll(() => processes.close());
  const person = async () => {
    const account = testAccount();
    await processes.here.accounts.insert(account);
    return account;
  };
  const begin = async (account: string) => {
    const { session } = aSession(account);
    await processes.here.sessions.insert(session);
    return { session };
  };

  it.each([
    ['a session ends', (id: string) => processes.there.sessions.endAll(id)],
    ['an account changes', (id: string) => processes.there.accounts.change(id, 0, { role: 'auditor' })],
    ['an account is erased', (id: string) => processes.there.accounts.erase(id, testNow)],
  ])('gets a new stamp in every process when %s', async (_event, change) => {
    const { id } = await person();
    await begin(id);
    const before = [processes.here, processes.there].map(({ sessions }) => sessions.stamp!());
    await change(id);
    const after = [processes.here, processes.there].map(({ sessions }) => sessions.stamp!());
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('keeps the same stamp when other data changes', async () => {
    const { id } = await person();
    const { session } = await begin(id);
    const before = [processes.here, processes.there].map(({ sessions }) => sessions.stamp!());
    await processes.database.marks.set('anything', 'else');
    await processes.there.sessions.touch(session.id, testNow + 60_000);
    await processes.there.sessions.insert(aSession(id).session);
    await processes.here.sessions.end(randomUUID(), id);
    await processes.there.links.replace(aLink(id).link);
    expect([processes.here, processes.there].map(({ sessions }) => sessions.stamp!())).toEqual(before);
  });
});
