import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { done, founded, path } from '../support/requests/organizations';
import { keyId, type Served, serving, until } from '../support/serving';
import { accountEventsOf, person, signedIn } from '../support/sign-in/people';
import { type Follower, following } from './following';

let served: Served;
let key: string;
const followers: Follower[] = [];
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterEach(() => followers.splice(0).forEach(({ leave }) => leave()));
afterAll(() => served.close());

async function follow(address: string, by: Parameters<typeof following>[1] = { key }): Promise<Follower> {
  const follower = await following(`${served.url}${address}`, by);
  followers.push(follower);
  return follower;
}
const revisions = (feed: Follower) => feed.received().map(({ data }) => data.revision);
const streams = (feed: Follower) => [...new Set(feed.received().map(({ data }) => data.stream))];
const rename = (id: string, name: string) => done(served, key, id, ['PATCH', '', { name }]);
const events = async (id: string, query: string) => {
  const { status, body, text } = await served.ask('GET', path(id, `/events?limit=100&${query}`), { key });
  if (status !== 200) throw new Error(text);
  return (body.events as { revision: number }[]).map(({ revision }) => revision);
};

/** The two routes that send the change feed of one organization. */
const ways = [
  ['GET …/events', (id: string, query = '') => path(id, `/events?${query}`)],
  ['GET /events?organization=', (id: string, query = '') => `/api/v1/events?organization=${id}&${query}`],
] as const;

describe.each(ways)('The feed of one organization by %s', (_, address) => {
  it('sends its stored events, then its new events, and no event of another organization', async () => {
    const [id, other] = [await founded(served, { by: key }), await founded(served, { by: key })];
    await rename(id, 'Second');
    const feed = await follow(address(id));
    expect([feed.status, feed.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await until(() => revisions(feed).length === 2);
    await rename(other, 'Unseen');
    await rename(id, 'Third');
    await until(() => revisions(feed).length === 3);
    expect([revisions(feed), streams(feed)]).toEqual([[0, 1, 2], [organizationStream(id)]]);
  });

  it('resumes after the last event that the client received, also after an event of another organization', async () => {
    const [id, other] = [await founded(served, { by: key }), await founded(served, { by: key })];
    await rename(id, 'Second');
    await rename(other, 'Between');
    await rename(id, 'Third');
    const all = await follow('/api/v1/events');
    const isLast = ({ data }: ReturnType<Follower['received']>[number]) =>
      data.stream === organizationStream(id) && data.revision === 2;
    await until(() => all.received().some(isLast));
    const [own, between] = all.received().slice(-3);
    expect([own!.data.revision, between!.data.stream]).toEqual([1, organizationStream(other)]);
    for (const { id: last } of [own!, between!]) {
      const feed = await follow(address(id), { key, headers: { 'Last-Event-ID': last } });
      await until(() => revisions(feed).length === 1);
      expect(revisions(feed)).toEqual([2]);
    }
  });

  it('is for callers who may read the history, and ends when the caller loses this right', async () => {
    const [ada, bob, nora] = [await person(served), await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: ada.id });
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: bob.id, role: 'member' }],
      ['POST', '/members', { user: randomUUID(), role: 'owner' }],
    );
    const cookieOf = async (account: typeof ada) => (await signedIn(served, account)).cookieHeader();
    for (const [account, status] of [
      [bob, 403],
      [nora, 404],
    ] as const)
      expect((await follow(address(id), { headers: { Cookie: await cookieOf(account) } })).status).toBe(status);
    const bound = await served.key({ scopes: ['audit:read'], organization: await founded(served, { by: key }) });
    expect((await follow(address(id), { key: bound })).status).toBe(404);
    expect((await follow(address(randomUUID()))).status).toBe(404);

    const feed = await follow(address(id), { headers: { Cookie: await cookieOf(ada) } });
    await until(() => revisions(feed).length === 4);
    await done(served, key, id, ['PATCH', `/members/${ada.id}`, { role: 'member' }]);
    await until(() => feed.ended() === 'ended', 2_000);
    await rename(id, 'Unseen');
    expect(revisions(feed).filter((revision) => revision > 4)).toEqual([]);
    const read = (await accountEventsOf(served, ada)).filter(({ type }) => type === 'HistoryRead');
    expect(read.map(({ data }) => data)).toEqual([{ organization: id }]);
  });

  it('ends within two seconds after the caller has lost the session, the platform role or the API key', async () => {
    const [ada, aud] = [await person(served), await person(served, { role: 'auditor' })];
    const id = await founded(served, { by: key, owner: ada.id });
    const auditing = await served.key({ scopes: ['audit:read'], organization: id });
    const headersOf = async (account: typeof ada) => ({ Cookie: (await signedIn(served, account)).cookieHeader() });
    const asked = [
      { headers: await headersOf(ada) },
      { headers: await headersOf(aud) },
      { key: auditing },
      { key },
    ] as const;
    const feeds = await Promise.all(asked.map((by) => follow(address(id), by)));
    await until(() => feeds.every((feed) => revisions(feed).length === 2));
    const context = { actor: { kind: 'system', id: 'spec', powers: [] } as const, correlation: randomUUID() };
    await served.charter.database.people.sessions.endAll(ada.id);
    await served.charter.accounts.assignRole(aud.id, null, { ...context, at: new Date().toISOString() });
    await served.charter.database.keys.revoke(await keyId(served, auditing), Date.now());
    await until(() => feeds.slice(0, 3).every(({ ended }) => ended() === 'ended'), 2_000);
    await rename(id, 'Unseen');
    await until(() => revisions(feeds[3]!).length === 3);
    expect(feeds.map((feed) => revisions(feed).length)).toEqual([2, 2, 2, 3]);
    expect(feeds[3]!.ended()).toBeUndefined();
  });

  it('refuses malformed cursors, and cursors of another store', async () => {
    const id = await founded(served, { by: key });
    const made = (...parts: readonly unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const foreign = made(randomUUID(), '0'.repeat(20), 'a'.repeat(16));
    expect((await follow(address(id), { key, headers: { 'Last-Event-ID': foreign } })).status).toBe(409);
    expect((await follow(address(id), { key, headers: { 'Last-Event-ID': 'x' } })).status).toBe(400);
  });
});

describe('The feed of one organization', () => {
  it('can begin at a given revision, and can contain only the events about one member', async () => {
    const [id, member] = [await founded(served, { by: key }), randomUUID()];
    await rename(id, 'Second');
    const [later, about] = [
      await follow(path(id, '/events?from=2')),
      await follow(path(id, `/events?about=/members/${member}`)),
    ];
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: randomUUID(), role: 'owner' }],
      ['POST', '/members', { user: member, role: 'member' }],
      ['PATCH', '', { name: 'Third' }],
    );
    await until(() => revisions(later).length === 3 && revisions(about).length === 1);
    expect([revisions(later), revisions(about)]).toEqual([[2, 3, 4], [3]]);
  });

  it('is NDJSON without `Accept: text/event-stream`, and then ends after the last stored event', async () => {
    const [id] = [await founded(served, { by: key }), await founded(served, { by: key })];
    await rename(id, 'Second');
    const read = async (query = '') => {
      const { status, text } = await served.ask('GET', `/api/v1/events?organization=${id}${query}`, { key });
      expect(status).toBe(200);
      return text
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line) as { revision: number; cursor: string }] : []));
    };
    const lines = await read();
    expect(lines.map(({ revision }) => revision)).toEqual([0, 1]);
    expect((await read(`&after=${lines[0]!.cursor}`)).map(({ revision }) => revision)).toEqual([1]);
    expect(await read('&after=end')).toEqual([]);
    for (const [organization, status] of [
      ['acme', 400],
      [randomUUID(), 404],
    ] as const)
      expect(await served.ask('GET', `/api/v1/events?organization=${organization}`, { key })).toMatchObject({ status });
  });
});

describe('Events of an organization', () => {
  it('can be filtered by the part of the state that they change, by correlation id and by event type', async () => {
    const [owner, member] = [randomUUID(), randomUUID()];
    const id = await founded(served, { by: key, owner });
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'enterprise' }],
      ['POST', '/members', { user: member, role: 'member' }],
      ['POST', '/quality-assurance/domains', { hostname: 'qa.test' }],
      ['PATCH', `/members/${member}`, { role: 'admin', productUser: true }],
      ['PUT', '/limits', { users: 9 }],
      ['PUT', '/limits/override', { reason: 'a favour' }],
    );
    const { body } = await served.ask('GET', path(id, '/events?limit=100'), { key });
    const all = body.events as { revision: number; type: string; metadata: { correlation: string } }[];
    const where = (fits: (event: (typeof all)[number]) => boolean) => all.filter(fits).map(({ revision }) => revision);
    const ofMember = where(({ type }) => /^Member|^ProductUser/.test(type)).slice(1);

    expect(await events(id, `about=/members/${member}`)).toEqual(ofMember);
    expect(await events(id, `about=/members/${member}&order=newest`)).toEqual(ofMember.toReversed());
    expect(await events(id, 'about=/members')).toHaveLength(ofMember.length + 1);
    expect(await events(id, 'about=/qualityAssurance')).toEqual(where(({ type }) => type.startsWith('Quality')));
    expect(await events(id, 'about=/limits')).toEqual(where(({ type }) => /Limits/.test(type)));
    expect(await events(id, 'about=/plans/second')).toEqual(where(({ type }) => type === 'PlanAssigned'));
    expect(await events(id, 'about=/plans/first')).toEqual([]);
    expect(await events(id, 'not-type=MemberAdded,PlanAssigned')).toEqual(
      where(({ type }) => type !== 'MemberAdded' && type !== 'PlanAssigned'),
    );
    expect(await events(id, 'type=MemberAdded,PlanAssigned&not-type=PlanAssigned')).toEqual(
      where(({ type }) => type === 'MemberAdded'),
    );
    const [changed] = where(({ type }) => type === 'MemberRoleChanged');
    const { correlation } = all[changed!]!.metadata;
    expect(await events(id, `correlation=${correlation}`)).toEqual([changed, changed! + 1]);
    expect(await events(id, 'correlation=unknown')).toEqual([]);
    const { text } = await served.ask('GET', path(id, `/events?about=/members/${member}`), {
      key,
      headers: { Accept: 'application/x-ndjson' },
    });
    expect(text.trimEnd().split('\n')).toHaveLength(ofMember.length);
  });

  it.each([
    ['about=', 'about'],
    ['about=members', 'about'],
    ['about=/chairs', 'about'],
    ['about=/members/x/role', 'about'],
    ['about=/name/x', 'about'],
    [`about=/members/${'x'.repeat(10_000)}`, 'about'],
    ['not-type=Nothing', 'not-type'],
    ['correlation=', 'correlation'],
    [`correlation=${'x'.repeat(256)}`, 'correlation'],
  ])('cannot be requested with %s: the answer is 400', async (query, field) => {
    const id = await founded(served, { by: key });
    const { status, body } = await served.ask('GET', path(id, `/events?${query}`), { key });
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });
});
