import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createReadsProjector } from '@charter/application';
import type { Account, PlatformRole } from '@charter/identity';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import { everyEventIn, keyId, paused, resumed, type Served, serving, until } from '../support/serving';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { longPast } from './as-of/long-life';
import { following } from './following';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

type Entry = Readonly<{
  hour: string;
  actor: Readonly<{ kind: string; id: string }>;
  as: string;
  name: string | null;
  did: string;
}>;
const HOUR = 3_600_000;
const member = (user: string, role = 'member') => ['POST', '/members', { user, role }] as const;
const hourNow = () => new Date(served.clock.now()).toISOString().slice(0, 13);

/** A person who has signed in. A platform role is recorded in the person's stream, as the command line records it. */
async function visitor(wanted: Partial<Account> = {}) {
  const account = await person(served, wanted);
  if (wanted.role) await recordRole(account, wanted.role);
  return { ...account, page: await signedIn(served, account) };
}
const recordRole = ({ id }: Pick<Account, 'id'>, role: PlatformRole | null) => {
  const actor = { kind: 'system', id: 'spec', powers: [] } as const;
  const context = { actor, at: new Date(served.clock.now()).toISOString(), correlation: randomUUID() };
  return served.charter.trail.record({ account: id }, { type: 'RoleAssigned', data: { role } }, context);
};

/** An organization whose members see the name of its owner. */
async function organization() {
  const id = await founded(served, { by: key });
  const ada = await visitor({ name: 'Ada Jansen' });
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'enterprise' }], member(ada.id, 'owner'));
  expect((await ada.page.send('POST', `/api/v1/me/organizations/${id}/accept`)).status).toBe(204);
  return { id, ada };
}

const readersOf = async (by: Pick<Browser, 'get'>, id: string, more = '') => {
  await createReadsProjector(served.charter).catchUp(); // records the reads in the list now instead of later
  const { status, body, text } = await by.get(path(id, `/readers${more}`));
  if (status !== 200) throw new Error(text);
  return body as unknown as { readers: Entry[]; next: string | null };
};
const entriesOf = async (by: Pick<Browser, 'get'>, id: string) => (await readersOf(by, id)).readers;
const shortly = ({ actor: { id }, as, did }: Entry) => [id, as, did];
const read = async (by: Pick<Browser, 'get'>, at: string) => {
  const { status, text } = await by.get(at);
  if (status !== 200) throw new Error(text);
};

// each test begins five minutes after a full hour, so that the hour does not end while the test runs
beforeEach(() => served.clock.advance(HOUR - (served.clock.now() % HOUR) + 5 * 60_000));

describe('Readers of a history', () => {
  it('are listed by hour, newest first, each with its action, such as `read` or `exported`', async () => {
    const { id, ada } = await organization();
    const [otto, audrey] = [
      await visitor({ name: 'Otto Salo', role: 'operator' }),
      await visitor({ name: 'Audrey Virta', role: 'auditor' }),
    ];
    const first = hourNow();
    await read(otto.page, path(id, '/export'));
    served.clock.advance(2 * HOUR);
    const second = hourNow();
    await read(ada.page, path(id, '/events'));
    served.clock.advance(1_000);
    await read(audrey.page, path(id, '/timeline'));
    served.clock.advance(1_000);
    const shop = await served.key({ name: 'the shop' });
    expect((await ask('GET', path(id, '/diff?from=0'), { key: shop })).status).toBe(200);
    const entry = (hour: string, actor: string, as: string, name: string | null, did: string) => ({
      ...{ hour, actor: { kind: as === 'key' ? 'key' : 'account', id: actor }, as, name, did },
    });
    const keyEntry = entry(second, await keyId(served, shop), 'key', 'the shop', 'read');
    const ofOwner = entry(second, ada.id, 'owner', 'Ada Jansen', 'read');
    expect(await readersOf(ada.page, id)).toEqual({
      readers: [
        keyEntry,
        entry(second, audrey.id, 'auditor', null, 'read'),
        ofOwner,
        entry(first, otto.id, 'operator', null, 'exported'),
      ],
      next: null,
    });
    for (const { page } of [otto, audrey])
      expect(await entriesOf(page, id)).toEqual([
        keyEntry,
        entry(second, audrey.id, 'auditor', 'Audrey Virta', 'read'),
        ofOwner,
        entry(first, otto.id, 'operator', 'Otto Salo', 'exported'),
      ]);
  });

  it('are listed with the role that they had at the time of the read', async () => {
    const { id, ada } = await organization();
    const [ben, otto] = [await visitor(), await visitor({ name: 'Otto Salo', role: 'operator' })];
    await done(served, key, id, member(ben.id, 'admin'));
    for (const { page } of [ben, otto]) await read(page, path(id, '/events'));
    const before = [
      [ben.id, 'admin', 'read'],
      [otto.id, 'operator', 'read'],
    ];
    expect((await entriesOf(ada.page, id)).map(shortly)).toEqual(expect.arrayContaining(before));
    served.clock.advance(HOUR);
    await done(served, key, id, ['PATCH', `/members/${ben.id}`, { role: 'owner' }]);
    const { accounts } = served.charter.database.people;
    await accounts.change(otto.id, (await accounts.byId(otto.id))!.version, { role: 'auditor' });
    await recordRole(otto, 'auditor');
    for (const { page } of [ben, otto]) await read(page, path(id, '/events'));
    served.clock.advance(HOUR);
    await done(served, key, id, ['DELETE', `/members/${ben.id}`]);
    await accounts.change(otto.id, (await accounts.byId(otto.id))!.version, { role: null });
    await recordRole(otto, null);
    const entries = (await entriesOf(ada.page, id)).map(shortly);
    expect(entries.slice(-2)).toEqual(expect.arrayContaining(before));
    expect(entries.slice(0, -2)).toEqual(
      expect.arrayContaining([
        [ben.id, 'owner', 'read'],
        [otto.id, 'auditor', 'read'],
      ]),
    );
    const nameOfOtto = async ({ page }: { page: Browser }) =>
      (await entriesOf(page, id)).find(({ actor }) => actor.id === otto.id)!.name;
    expect(await nameOfOtto(ada)).toBeNull();
    expect(await nameOfOtto(await visitor({ role: 'auditor' }))).toBe('Otto Salo');
  });

  it('include a reader of the feed of all organizations, for each organization whose history the reader could read in that hour', async () => {
    const otto = await visitor({ role: 'operator' });
    const [mine, theirs, later] = [await organization(), await organization(), await organization()];
    const ben = await visitor();
    await done(served, key, mine.id, member(ben.id, 'admin'));
    await done(served, key, theirs.id, member(ben.id, 'member'));
    await read(ben.page, '/api/v1/events');
    await read(otto.page, '/api/v1/events');
    await done(served, key, later.id, member(ben.id, 'admin')); // a change in the same hour, after the read
    const ofBoth = [
      [ben.id, 'admin', 'followed'],
      [otto.id, 'operator', 'followed'],
    ];
    for (const [{ id, ada }, wanted] of [
      [mine, ofBoth],
      [theirs, ofBoth.slice(1)],
      [later, ofBoth],
    ] as const) {
      const entries = (await entriesOf(ada.page, id)).map(shortly).filter(([who]) => who === ben.id || who === otto.id);
      expect(entries.toSorted()).toEqual(wanted.toSorted());
    }
    served.clock.advance(HOUR);
    const { id, ada } = await organization();
    await done(served, key, id, member(ben.id, 'owner'));
    expect(await entriesOf(ada.page, id)).toEqual([]);
    await read(ben.page, '/api/v1/events');
    expect((await entriesOf(ada.page, id)).map(shortly)).toEqual([[ben.id, 'owner', 'followed']]);
  });

  it('include a person who gets a platform role after a read of the feed in the same hour', async () => {
    const [mine, theirs] = [await organization(), await organization()];
    const [ben, cleo] = [await visitor(), await visitor()];
    for (const { id } of [ben, cleo]) await done(served, key, mine.id, member(id, 'admin'));
    await read(ben.page, '/api/v1/events');
    const feed = await following(`${served.url}/api/v1/events`, { headers: { Cookie: cleo.page.cookieHeader() } });
    for (const { id } of [ben, cleo]) {
      const { accounts } = served.charter.database.people;
      await accounts.change(id, (await accounts.byId(id))!.version, { role: 'auditor' });
      await recordRole({ id }, 'auditor');
    }
    await read(ben.page, '/api/v1/events');
    const followers = async () => (await entriesOf(theirs.ada.page, theirs.id)).map(shortly).toSorted();
    const wanted = [ben, cleo].map(({ id }) => [id, 'auditor', 'followed']).toSorted();
    await until(async () => (await followers()).length === wanted.length, 5_000);
    expect(await followers()).toEqual(wanted);
    feed.leave();
  });

  it('do not include a person whose request is refused, because too many requests of this person are running', async () => {
    const { id, ada } = await organization();
    const { gate, feedGate } = served.runtime;
    let finish = () => {};
    const ended = new Promise<void>((resolve) => (finish = resolve));
    const asker = () => ({
      actor: { kind: 'account', id: ada.id, powers: [] } as const,
      response: new ServerResponse(new IncomingMessage(new Socket())),
    });
    const running = [
      ...Array.from({ length: 2 }, () => gate(asker(), () => ended)),
      ...Array.from({ length: 8 }, () => feedGate(asker(), () => ended)),
    ];
    const accepting = (type: string) => ({ headers: { Accept: type } });
    const statuses = await Promise.all(
      [
        ada.page.get(path(id, '/events'), accepting('application/x-ndjson')),
        ada.page.get('/api/v1/events', accepting('application/x-ndjson')),
        ada.page.get('/api/v1/events', accepting('text/event-stream')),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([429, 429, 429]);
    finish();
    await Promise.all(running);
    expect(await entriesOf(ada.page, id)).toEqual([]);
  });

  it('are listed within a minute, once for several reads in one hour; the list includes the reads of the caller', async () => {
    const { id, ada } = await organization();
    for (let times = 0; times < 3; times += 1) await read(ada.page, path(id, '/events'));
    const own = async () => (await ada.page.get(path(id, '/readers'))).body['readers'] as Entry[];
    await until(async () => (await own()).length > 0, 60_000);
    expect((await own()).map(shortly)).toEqual([[ada.id, 'owner', 'read']]);
  });

  it('are shown only to owners, auditors and operators; Charter does not record that a person reads this list', async () => {
    const { id, ada } = await organization();
    const [ben, mia, cleo] = [await visitor(), await visitor(), await visitor()];
    await done(served, key, id, member(ben.id, 'admin'), member(mia.id), member(cleo.id, 'owner'));
    await done(served, key, id, ['DELETE', `/members/${cleo.id}`]);
    const [otto, audrey] = [await visitor({ role: 'operator' }), await visitor({ role: 'auditor' })];
    const before = await everyEventIn(served);
    const statuses = [];
    for (const { page } of [ada, audrey, otto, ben, mia, cleo])
      statuses.push((await page.get(path(id, '/readers'))).status);
    expect(statuses).toEqual([200, 200, 200, 403, 403, 404]);
    expect((await ask('GET', path(id, '/readers'))).status).toBe(403);
    expect((await otto.page.get(path(randomUUID(), '/readers'))).status).toBe(404);
    expect(await everyEventIn(served)).toBe(before);
    const standing = async ({ page }: { page: Browser }) =>
      (await page.get(path(id, '/standing'))).body['reads'] as string[];
    expect(await standing(ada)).toContain('readers');
    expect(await standing(ben)).not.toContain('readers');
  });

  it('are listed in pages, or only for a range of hours, and the answer has an ETag', async () => {
    const { id, ada } = await organization();
    const { page } = await visitor({ role: 'operator' });
    const hours: string[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      hours.unshift(hourNow());
      await read(page, path(id, '/events'));
      await read(ada.page, path(id, '/events'));
      served.clock.advance(HOUR);
    }
    const seen: Entry[] = [];
    for (let more = '?limit=3'; ;) {
      const { readers, next } = await readersOf(ada.page, id, more);
      seen.push(...readers);
      if (next === null) break;
      more = `?limit=3&cursor=${next}`;
    }
    expect(seen.map(({ hour }) => hour)).toEqual(hours.flatMap((hour) => [hour, hour]));
    const between = await readersOf(ada.page, id, `?from=${hours[3]}:59:00Z&to=${hours[2]}:00:00Z`);
    expect(between.readers.map(({ hour }) => hour)).toEqual([hours[2], hours[2], hours[3], hours[3]]);

    const { headers } = await ada.page.get(path(id, '/readers'));
    const ifNew = () => ada.page.get(path(id, '/readers'), { headers: { 'If-None-Match': headers['etag']! } });
    expect((await ifNew()).status).toBe(304);
    await read(page, path(id, '/events'));
    await createReadsProjector(served.charter).catchUp();
    expect((await ifNew()).status).toBe(200);
  });

  it('keep their name in the list after the end of their membership, but not after their erasure', async () => {
    const { id, ada } = await organization();
    const ben = await visitor({ name: 'Ben Okafor' });
    await done(served, key, id, member(ben.id, 'owner'));
    expect((await ben.page.send('POST', `/api/v1/me/organizations/${id}/accept`)).status).toBe(204);
    await read(ben.page, path(id, '/events'));
    const nameOfBen = async () => (await entriesOf(ada.page, id)).find(({ actor }) => actor.id === ben.id)?.name;
    expect(await nameOfBen()).toBe('Ben Okafor');
    await done(served, key, id, ['DELETE', `/members/${ben.id}`]);
    expect(await nameOfBen()).toBe('Ben Okafor');
    expect((await ben.page.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    expect(await nameOfBen()).toBeNull();
  });

  it('are also listed for a closed organization, for a long history, and while the projector is paused', async () => {
    const { id, ada } = await organization();
    await paused(served);
    await longPast(served.charter, id, 1_200);
    await read(ada.page, path(id, '/timeline'));
    expect((await entriesOf(ada.page, id)).map(shortly)).toEqual([[ada.id, 'owner', 'read']]);
    await done(served, key, id, ['POST', '/close', { reason: 'moved' }]);
    expect((await entriesOf(ada.page, id)).map(shortly)).toEqual([[ada.id, 'owner', 'read']]);
    await resumed(served);
  });

  it.each([
    ['to', '?from=2026-11-22T10:00:00Z&to=2026-11-21T10:00:00Z'],
    ['from', '?from=2026-02-30T00:00:00Z'],
    ['to', '?to=%2B010000-01-01T00:00:00Z'],
    ['from', '?from=42'],
    ['from', '?from=2026-11-22'],
    ['from', `?from=${'2'.repeat(10_000)}`],
    ['cursor', '?cursor=nonsense'],
    ['cursor', `?cursor=${'A'.repeat(10_000)}`],
    ['cursor', `?cursor=${Buffer.from('{"at":"x"}').toString('base64url')}`],
    ['limit', '?limit=0'],
    ['limit', '?limit=101'],
    ['actor', '?actor=x'],
    ['from', '?from=2026-11-22T10:00:00Z&from=2026-11-22T11:00:00Z'],
  ])('cannot be requested with a wrong parameter: the answer is 400 (%#: %s)', async (field, more) => {
    const { id, ada } = await organization();
    const { status, body } = await ada.page.get(path(id, `/readers${more}`));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect((body['errors'] as { path: string }[]).map(({ path: at }) => at)).toEqual([field]);
  });
});

describe('The list of readers', () => {
  it('says how far it lags behind the reads, and continues after a restart', async () => {
    const first = await serving();
    const own = await first.key();
    const id = await founded(first, { by: own });
    const account = await person(first, { role: 'operator' });
    const operator = await signedIn(first, account);
    await read(operator, path(id, '/events'));
    const list = (by: Browser) => by.get(path(id, '/readers'));
    await until(async () => ((await list(operator)).body['readers'] as Entry[]).length === 1, 60_000);
    expect(Number((await list(operator)).headers['charter-lag'])).toBe(0);
    await first.stop();

    // this process never gets the lease of the projector, as if a stopped process still held the lease
    const lease = () => ({
      hold: () => Promise.resolve(false),
      release: () => Promise.resolve(),
      held: () => Promise.resolve(undefined),
    });
    const again = await serving({
      folder: first.folder,
      between: (stores) => ({ ...stores, database: { ...stores.database, lease } }),
    });
    const by = await signedIn(again, account);
    again.clock.advance(2 * HOUR);
    await read(by, path(id, '/events'));
    const { body, headers } = await list(by);
    expect(body['readers']).toHaveLength(1);
    expect(Number(headers['charter-lag'])).toBeGreaterThan(7_000);
    const { text } = await again.ask('GET', '/metrics');
    expect(Number(/^charter_readers_lag_seconds ([\d.]+)$/m.exec(text)?.[1])).toBeGreaterThan(7_000);
    await again.stop();

    const third = await serving({ folder: first.folder });
    const later = await signedIn(third, account);
    await until(async () => ((await list(later)).body['readers'] as Entry[]).length === 2, 60_000);
    await third.close();
  });
});
