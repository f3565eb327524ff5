import { randomUUID } from 'node:crypto';
import { newSession, sessionHash } from '@charter/identity';
import { databases } from '../database.testing';
import { aLink, aSession, now, random, testAccount, twoProcesses } from './people.testing';

describe.each(databases)('people in %s: sessions and links', (_database, make) => {
  let world: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    world = await twoProcesses(make);
  });
  afterAll(() => world.close());

  const person = async (more: Parameters<typeof testAccount>[0] = {}) => {
    const account = testAccount(more);
    await world.here.accounts.insert(account);
    return account;
  };
  const begin = async (account: string, at = now) => {
    const { cookie, session } = aSession(account, at);
    expect(await world.here.sessions.insert(session)).toBe(true);
    return { cookie, session };
  };

  describe('a session', () => {
    it('is found with its account by its cookie, here and elsewhere', async () => {
      const ada = await person({ name: 'Ada', role: 'operator' });
      const { cookie, session } = await begin(ada.id);
      const both = { session, account: ada };
      for (const { sessions } of [world.here, world.there]) {
        expect(await sessions.find(sessionHash(cookie))).toEqual(both);
        expect(await sessions.find(sessionHash('other'))).toBeUndefined();
      }
    });

    it('may be good for one organization alone', async () => {
      const { session } = newSession((await person()).id, 'sso', 'Firefox', random, now, 'o-1');
      await world.here.sessions.insert(session);
      expect((await world.there.sessions.find(session.hash))?.session).toEqual(session);
    });

    it.each(['disabled', 'invited', 'erased'] as const)('does not exist while its account is %s', async (state) => {
      const ada = await person();
      const { session } = await begin(ada.id);
      if (state === 'erased') await world.there.accounts.erase(ada.id, now);
      else await world.there.accounts.change(ada.id, 0, { state });
      expect(await world.here.sessions.find(session.hash)).toBeUndefined();
      expect(await world.here.sessions.insert(aSession(ada.id).session)).toBe(false);
    });

    it('does not begin for an account that changed since its password was checked', async () => {
      const ada = await person();
      expect(await world.here.sessions.insert(aSession(ada.id).session, 0)).toBe(true);
      await world.there.accounts.change(ada.id, 0, { passwordHash: 'new' }, { sessions: true });
      expect(await world.here.sessions.insert(aSession(ada.id).session, 0)).toBe(false);
      expect(await world.here.sessions.insert(aSession(ada.id).session, 1)).toBe(true);
      expect(await world.here.sessions.insert(aSession(randomUUID()).session)).toBe(false);
    });

    it('notes its last use at most once a minute', async () => {
      const { session } = await begin((await person()).id);
      const used = async (at: number) => {
        await world.here.sessions.touch(session.id, at);
        return (await world.there.sessions.find(session.hash))?.session.used;
      };
      expect(await used(now + 59_999)).toBe('2026-11-21T10:00:00.000Z');
      expect(await used(now + 60_000)).toBe('2026-11-21T10:01:00.000Z');
      expect(await used(now)).toBe('2026-11-21T10:01:00.000Z');
    });

    it('ends by its owner alone, everywhere at once', async () => {
      const [ada, eve] = [await person(), await person()];
      const { session } = await begin(ada.id);
      expect(await world.there.sessions.end(session.id, eve.id)).toBe(false);
      expect(await world.here.sessions.find(session.hash)).toBeDefined();
      expect(await world.there.sessions.end(session.id, ada.id)).toBe(true);
      expect(await world.here.sessions.find(session.hash)).toBeUndefined();
      expect(await world.there.sessions.end(session.id, ada.id)).toBe(false);
    });

    it('ends with all other sessions of its account; the caller may keep one', async () => {
      const [ada, eve] = [await person(), await person()];
      const mine = [await begin(ada.id), await begin(ada.id), await begin(ada.id)];
      const theirs = await begin(eve.id);
      expect(await world.there.sessions.endAll(ada.id, mine[1]!.session.id)).toBe(2);
      const left = await Promise.all(mine.map(({ session }) => world.here.sessions.find(session.hash)));
      expect(left.map((one) => one?.session)).toEqual([undefined, mine[1]!.session, undefined]);
      expect(await world.here.sessions.endAll(ada.id)).toBe(1);
      expect(await world.here.sessions.endAll(ada.id)).toBe(0);
      expect(await world.here.sessions.find(theirs.session.hash)).toBeDefined();
    });

    it('is in the list of its account if it was used since a moment; the newest session comes first', async () => {
      const { id } = await person();
      const begun = [await begin(id, now), await begin(id, now + 2_000), await begin(id, now + 1_000)];
      const since = async (at: number) =>
        (await world.there.sessions.listOf(id, new Date(at).toISOString())).map((session) => session.id);
      const ids = begun.map(({ session }) => session.id);
      expect(await since(now)).toEqual([ids[1], ids[2], ids[0]]);
      expect(await since(now + 1_000)).toEqual([ids[1], ids[2]]);
      expect(await world.here.sessions.listOf(randomUUID(), new Date(now).toISOString())).toEqual([]);
    });

    it('is forgotten when it was not used for long, or began long ago', async () => {
      const { id } = await person();
      const [old, idle, live] = [await begin(id, now - 9_000), await begin(id, now - 5_000), await begin(id, now)];
      const sweep = (usedBefore: number, beganBefore: number) =>
        world.here.sessions.sweep({
          usedBefore: new Date(usedBefore).toISOString(),
          beganBefore: new Date(beganBefore).toISOString(),
        });
      await world.here.sessions.touch(old.session.id, now + 60_000);
      expect(await sweep(now - 9_001, now - 9_000)).toBe(1);
      expect(await world.here.sessions.find(old.session.hash)).toBeUndefined();
      expect(await sweep(now - 5_000, now - 9_000)).toBe(1);
      expect(await world.here.sessions.find(idle.session.hash)).toBeUndefined();
      expect(await world.here.sessions.find(live.session.hash)).toBeDefined();
    });
  });

  describe('a link', () => {
    it('is taken once, by one of all who ask at the same time', async () => {
      const { id } = await person();
      const { link } = aLink(id);
      await world.here.links.replace(link);
      expect(await world.there.links.find(link.hash)).toEqual(link);
      const asked = Array.from({ length: 20 }, (_, n) => [world.here, world.there][n % 2]!.links.take(link.hash));
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
      expect(await world.here.links.find(link.hash)).toBeUndefined();
    });

    it('no longer works when a newer one of its purpose was made, or all were dropped', async () => {
      const [ada, eve] = [await person(), await person()];
      const [first, second, invitation, theirs] = [
        aLink(ada.id),
        aLink(ada.id),
        aLink(ada.id, 'invitation'),
        aLink(eve.id),
      ];
      for (const { link } of [first, invitation, theirs, second]) await world.here.links.replace(link);
      const works = () =>
        Promise.all(
          [first, second, invitation, theirs].map(async ({ link }) => !!(await world.there.links.find(link.hash))),
        );
      expect(await works()).toEqual([false, true, true, true]);
      await world.there.links.dropAll(ada.id);
      expect(await works()).toEqual([false, false, false, true]);
      expect(await world.here.links.take(second.link.hash)).toBe(false);
    });

    it('is forgotten when its time has passed', async () => {
      const { link } = aLink((await person()).id, 'reset', now - 30 * 60_000);
      await world.here.links.replace(link);
      expect(await world.here.links.sweep(Date.parse(link.expires) - 1)).toBe(0);
      expect(await world.here.links.find(link.hash)).toBeDefined();
      expect(await world.here.links.sweep(Date.parse(link.expires))).toBe(1);
    });
  });
});

describe('Session cache, with a database in this process', () => {
  let world: Awaited<ReturnType<typeof twoProcesses>>;
  beforeAll(async () => {
    world = await twoProcesses();
  });
  afterAll(() => world.close());
  const person = async () => {
    const account = testAccount();
    await world.here.accounts.insert(account);
    return account;
  };
  const begin = async (account: string) => {
    const { session } = aSession(account);
    await world.here.sessions.insert(session);
    return { session };
  };

  it.each([
    ['a session ends', (id: string) => world.there.sessions.endAll(id)],
    ['an account changes', (id: string) => world.there.accounts.change(id, 0, { role: 'auditor' })],
    ['an account is erased', (id: string) => world.there.accounts.erase(id, now)],
  ])('learns when %s, here or in another process', async (_what, change) => {
    const { id } = await person();
    await begin(id);
    const before = [world.here, world.there].map(({ sessions }) => sessions.stamp!());
    await change(id);
    const after = [world.here, world.there].map(({ sessions }) => sessions.stamp!());
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('keeps its stamp while only something else changes', async () => {
    const { id } = await person();
    const { session } = await begin(id);
    const before = [world.here, world.there].map(({ sessions }) => sessions.stamp!());
    await world.documents.marks.set('anything', 'else');
    await world.there.sessions.touch(session.id, now + 60_000);
    await world.there.sessions.insert(aSession(id).session);
    await world.here.sessions.end(randomUUID(), id);
    await world.there.links.replace(aLink(id).link);
    expect([world.here, world.there].map(({ sessions }) => sessions.stamp!())).toEqual(before);
  });
});
