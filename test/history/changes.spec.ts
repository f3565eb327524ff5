import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog, StoredEvent } from '@charter/event-log';
import { eventTypes, organizationStream } from '@charter/organization';
import { done, founded, path } from '../support/requests/organizations';
import { person, signedIn, accountEventsOf } from '../support/sign-in/people';
import { eventsOf, keyId, type Served, serving, until } from '../support/serving';
import { withFaults } from '../support/stores/faults';
import { appendAgain } from '../projections/projecting';
import { type Follower, following, type ReceivedChange } from './following';
import { organizationsOf, releases } from './golden';

let served: Served;
let key: string;
const followers: Follower[] = [];
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterEach(() => followers.splice(0).forEach(({ leave }) => leave()));
afterAll(() => served.close());

async function follow(by: Parameters<typeof following>[1], query = ''): Promise<Follower> {
  const follower = await following(`${served.url}/api/v1/events${query}`, by);
  followers.push(follower);
  return follower;
}
const lines = async (by: string, query = '') => {
  const { status, text, body } = await served.ask('GET', `/api/v1/events${query}`, { key: by });
  const events = text.split('\n').filter((line) => line.startsWith('{"id"'));
  return { status, body, events: events.map((line) => JSON.parse(line)) };
};
const rename = (id: string, name: string) => done(served, key, id, ['PATCH', '', { name }]);
const revisions = (follower: Follower, id: string) =>
  follower.received().flatMap(({ data }) => (data.stream === organizationStream(id) ? [data.revision] : []));

/** The fields that an event has both in the feed and in the log. */
const contentOf = ({ id, type, stream, revision, position, data, metadata }: StoredEvent | ReceivedChange['data']) => ({
  ...{ id, type, stream, revision: Number(revision), position, data, metadata },
});

describe('The change feed', () => {
  it('sends stored events, then new events, and resumes after the last event that the client received', async () => {
    const id = await founded(served, { by: key });
    const all = await follow({ key });
    expect([all.status, all.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await until(() => revisions(all, id).length === 1);
    await rename(id, 'Second');
    await until(() => revisions(all, id).length === 2);
    const stored = await eventsOf(served, 'organization-');
    expect(all.received().map(({ data }) => [data.stream, data.revision])).toEqual(
      stored.map(({ stream, revision }) => [stream, Number(revision)]),
    );
    expect(all.text()).toMatch(/^retry: \d+\n\n/);
    const last = all.received().at(-1)!.id;
    all.leave();

    await rename(id, 'Third');
    await rename(id, 'Fourth');
    const again = await follow({ key, headers: { 'Last-Event-ID': last } }, '?after=end');
    await until(() => again.received().length === 2);
    expect(revisions(again, id)).toEqual([2, 3]);
    const behind = await follow({ key }, '?after=end');
    await rename(id, 'Fifth');
    await until(() => again.received().length === 3 && behind.received().length === 1);
    expect(revisions(behind, id)).toEqual([4]);
  });

  it('is NDJSON without `Accept: text/event-stream`: each line contains a stored event and the cursor to continue after this event', async () => {
    const id = await founded(served, { by: key });
    await rename(id, 'Second');
    const { events } = await lines(key);
    expect(events.slice(-2)).toMatchObject([
      {
        type: 'OrganizationFounded',
        stream: organizationStream(id),
        revision: 0,
        metadata: { hash: expect.any(String) },
      },
      { type: 'OrganizationRenamed', revision: 1 },
    ]);
    expect(events).toHaveLength((await eventsOf(served, 'organization-')).length);
    expect((await lines(key, `?after=${events.at(-2).cursor}`)).events).toEqual(events.slice(-1));
    expect((await lines(key, `?after=${events.at(-1).cursor}`)).events).toEqual([]);
    expect((await lines(key, '?after=end')).events).toEqual([]);
  });

  it('sends events of every type that an organization has, with the same content as in the log', async () => {
    const seen = new Set((await eventsOf(served, 'organization-')).map(({ stream }) => stream));
    for (const release of releases) {
      const fresh = organizationsOf(release).filter(({ stream }) => !seen.has(stream));
      for (const event of fresh) await appendAgain(served.charter.log, event);
      fresh.forEach(({ stream }) => seen.add(stream));
    }
    const stored = await eventsOf(served, 'organization-');
    expect(new Set(stored.map(({ type }) => type))).toEqual(new Set<string>(eventTypes));
    const inLog = stored.map(contentOf);
    expect((await lines(key)).events.map(contentOf)).toEqual(inLog);
    const all = await follow({ key });
    await until(() => all.received().length >= inLog.length);
    expect(all.received().map(({ data }) => contentOf(data))).toEqual(inLog);
  });

  it('refuses malformed cursors, and cursors of another store or of events that do not exist', async () => {
    await founded(served, { by: key });
    const cursor = (await lines(key)).events[0].cursor as string;
    const [store, place, mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    const made = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    expect((await lines(key, '?after=x')).body).toMatchObject({
      status: 400,
      errors: [{ path: 'after', message: 'must be end, or a cursor of this feed' }],
    });
    const bad = await follow({ key, headers: { 'Last-Event-ID': 'x' } });
    expect(bad.status).toBe(400);
    for (const [why, after] of [
      ['another store', made(randomUUID(), place, mark)],
      ['beyond the end', made(store, '9'.repeat(20), mark)],
      ['another event', made(store, place, 'a'.repeat(16))],
    ] as const) {
      const { status, body } = await lines(key, `?after=${after}`);
      expect([why, status, body?.type]).toEqual([why, 409, '/problems/unknown-checkpoint']);
      expect((await follow({ key, headers: { 'Last-Event-ID': after } })).status).toBe(409);
    }
    expect((await lines(key, `?after=${made(store, place, mark)}`)).status).toBe(200);
  });

  it('shows each caller only the organizations whose history the caller may read now', async () => {
    const [ada, bob, nora] = [await person(served), await person(served), await person(served)];
    const [theirs, foreign] = [await founded(served, { by: key, owner: ada.id }), await founded(served, { by: key })];
    await done(served, key, theirs, ['POST', '/members', { user: bob.id, role: 'member' }]);
    const by = await signedIn(served, ada);
    const feed = await follow({ headers: { Cookie: by.cookieHeader() } });
    await until(() => feed.received().length === 3);
    expect(new Set(feed.received().map(({ data }) => data.stream))).toEqual(new Set([organizationStream(theirs)]));
    await rename(foreign, 'Another');
    await rename(theirs, 'Ours');
    await until(() => feed.received().length === 4);
    await done(served, key, foreign, ['POST', '/members', { user: ada.id, role: 'admin' }]);
    // from now on, the feed sends the events of this organization
    await until(() => revisions(feed, foreign).length === 1);
    for (const account of [bob, nora]) {
      const { status, body } = await (await signedIn(served, account)).get('/api/v1/events');
      expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    }
    const bound = await served.key({ scopes: ['audit:read'], organization: theirs });
    expect(new Set((await lines(bound)).events.map(({ stream }) => stream))).toEqual(
      new Set([organizationStream(theirs)]),
    );

    await done(served, key, foreign, ['PATCH', `/members/${ada.id}`, { role: 'member' }]);
    const isSentToAda = async (id: string) => {
      const [sent, revision] = [
        revisions(feed, theirs).length,
        (await eventsOf(served, organizationStream(id))).length,
      ];
      await rename(id, `Name ${revision}`);
      await rename(theirs, `Name ${randomUUID()}`); // the feed sends this renaming after the first one
      await until(() => revisions(feed, theirs).length > sent + (id === theirs ? 1 : 0));
      return revisions(feed, id).includes(revision);
    };
    await until(async () => !(await isSentToAda(foreign)));
    expect(await isSentToAda(theirs)).toBe(true);
  });

  it.each(['/api/v1/events', '/api/v1/entitlement-changes'])(
    'from the end shows an organization that the person joins while the feed begins: %s',
    async (route) => {
      const joins: (() => Promise<void>)[] = [];
      const slow = await serving({
        between: (stores) => {
          const readAll: EventLog['readAll'] = async function* (options) {
            if (options?.direction === 'backwards') await joins.pop()?.();
            yield* stores.log.readAll(options);
          };
          return { ...stores, log: withFaults(stores.log, { readAll }) };
        },
      });
      const by = await slow.key();
      const ada = await person(slow);
      const [, joined] = [await founded(slow, { by, owner: ada.id }), await founded(slow, { by })];
      const cookie = (await signedIn(slow, ada)).cookieHeader();
      joins.push(() => done(slow, by, joined, ['POST', '/members', { user: ada.id, role: 'admin' }]));
      const feed = await following(`${slow.url}${route}?after=end`, { headers: { Cookie: cookie } });
      followers.push(feed);
      expect([feed.status, joins]).toEqual([200, []]);
      await done(slow, by, joined, ['POST', '/traffic', { month: '2026-01', views: 7 }]);
      await until(() => feed.text().includes(joined));
      await slow.close();
    },
  );

  it('ends within two seconds after the caller has lost the role in the organization, the platform role or the API key', async () => {
    const [ada, aud] = [await person(served), await person(served, { role: 'auditor' })];
    const [theirs, other] = [await founded(served, { by: key, owner: ada.id }), await founded(served, { by: key })];
    await done(served, key, theirs, ['POST', '/members', { user: randomUUID(), role: 'owner' }]);
    const auditing = await served.key({ scopes: ['audit:read'] });
    const cookieOf = async (account: typeof ada) => (await signedIn(served, account)).cookieHeader();
    const feeds = [
      await follow({ headers: { Cookie: await cookieOf(ada) } }, '?after=end'),
      await follow({ headers: { Cookie: await cookieOf(aud) } }, '?after=end'),
      await follow({ key: auditing }, '?after=end'),
      await follow({ key }, '?after=end'),
    ];
    await done(served, key, theirs, ['PATCH', `/members/${ada.id}`, { role: 'member' }]);
    const context = { actor: { kind: 'system', id: 'spec', powers: [] } as const, correlation: randomUUID() };
    await served.charter.accounts.assignRole(aud.id, null, { ...context, at: new Date().toISOString() });
    await served.charter.database.keys.revoke(await keyId(served, auditing), Date.now());
    await until(() => feeds.slice(0, 3).every(({ ended }) => ended() === 'ended'), 2_000);
    await rename(other, 'Unseen');
    await until(() => revisions(feeds[3]!, other).length === 1);
    expect(feeds.slice(0, 3).map((feed) => revisions(feed, other))).toEqual([[], [], []]);
    expect(feeds[3]!.ended()).toBeUndefined();
  });

  it('ends within two seconds after its session has ended; feeds of other sessions of the account continue', async () => {
    const ada = await person(served);
    const theirs = await founded(served, { by: key, owner: ada.id });
    const browsers = [await signedIn(served, ada), await signedIn(served, ada), await signedIn(served, ada)] as const;
    const feeds = await Promise.all(
      browsers.map((by) => follow({ headers: { Cookie: by.cookieHeader() } }, '?after=end')),
    );
    const [left, ended, open] = feeds as [Follower, Follower, Follower];
    const sessions = (await browsers[1].get('/api/v1/me/sessions')).body.sessions as { id: string; current: boolean }[];
    const its = sessions.find(({ current }) => current)!.id;
    expect((await browsers[0].send('POST', '/logout')).status).toBe(204);
    expect((await browsers[2].send('DELETE', `/api/v1/me/sessions/${its}`)).status).toBe(204);
    await until(() => [left, ended].every((feed) => feed.ended() === 'ended'), 2_000);
    await rename(theirs, 'Unseen by ended sessions');
    await until(() => revisions(open, theirs).length === 1);
    expect([left, ended].map((feed) => revisions(feed, theirs))).toEqual([[], []]);
    expect(open.ended()).toBeUndefined();
  });

  it('records the reads of an account at most once an hour, in the stream of this account', async () => {
    const aud = await person(served, { role: 'auditor' });
    const by = await signedIn(served, aud);
    await by.get('/api/v1/events?after=end');
    await by.get('/api/v1/events?after=end');
    expect((await accountEventsOf(served, aud)).filter(({ type }) => type === 'ChangesRead')).toHaveLength(1);
  });

  it('limits the open feeds of one caller, and other callers can still open feeds', async () => {
    const one = await served.key();
    const many = await Promise.all(Array.from({ length: 8 }, () => follow({ key: one }, '?after=end')));
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const more = await follow({ key: one }, '?after=end');
    expect([more.status, more.headers['retry-after']]).toEqual([429, '2']);
    expect((await follow({ key }, '?after=end')).status).toBe(200);
    many[0]!.leave();
    await until(async () => (await follow({ key: one }, '?after=end')).status === 200);
  });

  it('limits the open feeds that all API keys of one organization have together; other keys can still open feeds', async () => {
    const [theirs, other] = [await founded(served, { by: key }), await founded(served, { by: key })];
    const keyOf = (organization: string) => served.key({ scopes: ['audit:read'], organization });
    const [first, second, third] = [await keyOf(theirs), await keyOf(theirs), await keyOf(theirs)];
    const open = (by: string) => follow({ key: by }, '?after=end');
    const many = await Promise.all([first, second].flatMap((by) => Array.from({ length: 8 }, () => open(by))));
    expect(many.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    for (const query of ['?after=end', `?organization=${theirs}&after=end`]) {
      const more = await follow({ key: third }, query);
      expect([query, more.status, more.headers['retry-after']]).toEqual([query, 429, '2']);
    }
    expect([(await open(await keyOf(other))).status, (await open(key)).status]).toEqual([200, 200]);
    many[0]!.leave();
    await until(async () => (await open(third)).status === 200);
  });

  it('sends each event of many concurrent writers once, in the order of the log', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => founded(served, { by: key })));
    const feed = await follow({ key: await served.key() }, '?after=end');
    const before = (await eventsOf(served, 'organization-')).length;
    await Promise.all(
      ids.flatMap((id) => Array.from({ length: 20 }, (_, index) => rename(id, `Name ${index} of ${randomUUID()}`))),
    );
    await until(() => feed.received().length === 160);
    const stored = (await eventsOf(served, 'organization-')).slice(before);
    expect(feed.received().map(({ data }) => [data.stream, data.revision])).toEqual(
      stored.map(({ stream, revision }) => [stream, Number(revision)]),
    );
  });

  it('sends every event to a client that reads slowly', async () => {
    const id = await founded(served, { by: key });
    const slow = await follow({ key: await served.key() }, '?after=end');
    expect(slow.status).toBe(200);
    slow.pause();
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index} ${'x'.repeat(150)}`);
    const commands = names.map((name) => ({ type: 'RenameOrganization', data: { name } }));
    for (let round = 0; round < 10; round += 1) await done(served, key, id, ['POST', '/commands', { commands }]);
    await pause(300);
    slow.resume();
    await until(() => revisions(slow, id).length === 200);
    expect(revisions(slow, id)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });
});

describe('The change feed of a service that stops', () => {
  it('ends its response completely', async () => {
    const other = await serving();
    const by = await other.key();
    const id = (await other.ask('POST', '/api/v1/organizations', { key: by, body: { name: 'Acme' } })).body
      .id as string;
    const feed = await following(`${other.url}/api/v1/events`, { key: by });
    await until(() => feed.received().length === 1);
    expect(path(id)).toContain(feed.received()[0]!.data.stream.slice('organization-'.length));
    const began = performance.now();
    await other.stop();
    expect(performance.now() - began).toBeLessThan(4_000);
    await until(() => feed.ended() === 'ended');
    await other.close();
  });
});
