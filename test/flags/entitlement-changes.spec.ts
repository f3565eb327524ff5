import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { done, founded } from '../support/requests/organizations';
import { person, signedIn } from '../support/sign-in/people';
import { keyId, paused, resumed, type Served, serving, settled, until } from '../support/serving';
import { type Follower, following } from '../history/following';

let served: Served;
let all: string; // an API key with every scope
let flags: string; // an API key for the flags of every organization
const followers: Follower[] = [];
beforeAll(async () => {
  served = await serving();
  all = await served.key();
  flags = await served.key({ scopes: ['flags:read'] });
});
afterEach(() => followers.splice(0).forEach(({ leave }) => leave()));
afterAll(() => served.close());

async function follow(by: Parameters<typeof following>[1] = { key: flags }): Promise<Follower> {
  const follower = await following(`${served.url}/api/v1/entitlement-changes`, by);
  followers.push(follower);
  return follower;
}
type Notice = Readonly<{ id: string | undefined; organization: string; revision: number; keys: readonly string[] }>;
const noticesOf = ({ text }: Follower): Notice[] =>
  [...text().matchAll(/^(?:id: (.+)\n)?event: change\ndata: (.+)\n\n/gm)].map(([, id, data]) => ({
    id,
    ...(JSON.parse(data!) as Omit<Notice, 'id'>),
  }));
const about = (follower: Follower, id: string) => noticesOf(follower).filter(({ organization }) => organization === id);
const addMember = (id: string, user: string = randomUUID(), role = 'member') =>
  done(served, all, id, ['POST', '/members', { user, role }]);
const rename = (id: string) => done(served, all, id, ['PATCH', '', { name: `Name ${randomUUID()}` }]);

describe('The stream of changed entitlements', () => {
  it('names the organization, its revision, and exactly the values that changed, also a changed use', async () => {
    const id = await founded(served, { by: all });
    const stream = await follow();
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(stream.text()).toMatch(/^retry: \d+\n\n/);
    await addMember(id);
    await until(() => about(stream, id).length === 1);
    expect(about(stream, id)).toMatchObject([{ organization: id, revision: 1, keys: ['users'] }]);
    await done(served, all, id, ['POST', '/traffic', { month: '2026-01', views: 7 }]);
    await until(() => about(stream, id).length === 2);
    expect(about(stream, id)[1]).toMatchObject({ revision: 2, keys: ['traffic'] });
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    await until(() => about(stream, id).length === 3);
    expect(about(stream, id)[2]!.keys).toEqual(expect.arrayContaining(['users', 'multiSite']));
  });

  it('has no notice for an event that changes no entitlement', async () => {
    const id = await founded(served, { by: all });
    const stream = await follow();
    await rename(id);
    await settled(served);
    await addMember(id);
    await until(() => about(stream, id).length > 0);
    expect(about(stream, id).map(({ keys }) => keys)).toEqual([['users']]);
  });

  it('has a notice for the end of an override that began before the stream', async () => {
    const id = await founded(served, { by: all });
    await done(served, all, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    await done(served, all, id, ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }]);
    const end = new Date(served.clock.now() + 60_000).toISOString();
    await done(served, all, id, ['PUT', '/limits/override', { reason: 'a spec', until: end }]);
    await settled(served);
    const stream = await follow();
    served.clock.advance(60_000);
    await until(() => about(stream, id).length > 0);
    expect(about(stream, id)).toMatchObject([{ revision: 4, keys: expect.arrayContaining(['users']) }]);
  });

  it('joins the changes of an organization that come close together into one notice', async () => {
    const id = await founded(served, { by: all });
    const stream = await follow();
    const commands = Array.from({ length: 20 }, () => ({
      type: 'AddMember',
      data: { member: randomUUID(), role: 'member' },
    }));
    await done(served, all, id, ['POST', '/commands', { commands }]);
    await until(() => about(stream, id).length > 0);
    expect(about(stream, id)).toMatchObject([{ revision: 20, keys: ['users'] }]);
  });

  it('sends a notice only after the read model contains the event', async () => {
    const id = await founded(served, { by: all });
    const stream = await follow();
    await paused(served);
    try {
      await addMember(id);
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(about(stream, id)).toEqual([]);
    } finally {
      await resumed(served);
    }
    await until(() => about(stream, id).length === 1);
    const { body } = await served.ask('GET', `/api/v1/organizations/${id}/entitlements`, { key: all });
    expect(body).toMatchObject({ revision: 1, limits: { users: { used: 1 } } });
  });

  it('resumes after the cursor of the last notice, and then names every key', async () => {
    const [first, second] = [await founded(served, { by: all }), await founded(served, { by: all })];
    const stream = await follow();
    await addMember(first);
    await until(() => about(stream, first).length === 1);
    const { id } = about(stream, first)[0]!;
    stream.leave();
    await rename(first);
    await addMember(second);
    const again = await follow({ key: flags, headers: { 'Last-Event-ID': id! } });
    await until(() => about(again, second).length === 1);
    expect(about(again, second)[0]!.keys).toContain('traffic');
    expect(about(again, first)).toEqual([]);
    await addMember(first);
    await until(() => about(again, first).length === 1);
    expect(about(again, first)[0]).toMatchObject({ revision: 3, keys: ['users'] });
  });

  it('resumes before the change of a parked stream, because the client has no notice of it yet', async () => {
    const poisoned = await serving();
    const key = await poisoned.key();
    const [unreadable, other] = [await founded(poisoned, { by: key }), await founded(poisoned, { by: key })];
    const changes = async (headers = {}) => {
      const follower = await following(`${poisoned.url}/api/v1/entitlement-changes`, { key, headers });
      followers.push(follower);
      return follower;
    };
    const stream = await changes();
    const bogus = { id: randomUUID(), type: 'Bogus', data: {}, metadata: {} };
    await poisoned.charter.log.append(organizationStream(unreadable), [bogus], { expected: 0n });
    await until(async () => {
      poisoned.clock.advance(10_000); // the projector retries after this time
      return (await poisoned.ask('GET', '/health/ready')).body.checks.projection.parked === 1;
    });
    await done(poisoned, key, other, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    await until(() => about(stream, other).length === 1);
    expect(about(stream, unreadable)).toEqual([]);
    stream.leave();
    const again = await changes({ 'Last-Event-ID': about(stream, other)[0]!.id! });
    await until(() => noticesOf(again).length === 2);
    expect(about(again, unreadable)).toMatchObject([{ revision: 1 }]);
    expect(noticesOf(again).map(({ id }) => id)).toEqual([undefined, undefined]); // no cursor after the parked event
    const path = `/api/v1/entitlement-changes?after=${about(stream, other)[0]!.id!}`;
    const lines = (await poisoned.ask('GET', path, { key })).text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { cursor: string }).cursor)).toEqual(
      lines.map(() => about(stream, other)[0]!.id),
    );
    // the first cursor of a program that polls
    const first = (await poisoned.ask('GET', '/api/v1/entitlement-changes', { key })).headers['charter-cursor'];
    const next = await poisoned.ask('GET', `/api/v1/entitlement-changes?after=${String(first)}`, { key });
    expect(next.text).toContain(unreadable);
    await poisoned.close();
  });

  it('answers as NDJSON without `Accept: text/event-stream`, and 409 for a cursor of another store', async () => {
    const stream = await follow();
    const id = await founded(served, { by: all });
    await until(() => about(stream, id).length === 1);
    const cursor = about(stream, id)[0]!.id!;
    await addMember(id);
    await settled(served);
    const { headers, text } = await served.ask('GET', `/api/v1/entitlement-changes?after=${cursor}`, { key: flags });
    expect(headers['content-type']).toBe('application/x-ndjson');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ organization: id, revision: 1 }]);
    const [, place, mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
    const foreign = Buffer.from(JSON.stringify([randomUUID(), place, mark])).toString('base64url');
    expect((await follow({ key: flags, headers: { 'Last-Event-ID': foreign } })).status).toBe(409);
  });

  it('gives a program that polls its next cursor in the header Charter-Cursor, even if there are no changes for it', async () => {
    const ada = await person(served);
    const [theirs, other] = [await founded(served, { by: all, owner: ada.id }), await founded(served, { by: all })];
    const Cookie = (await signedIn(served, ada)).cookieHeader();
    const poll = async (query: string) => {
      const { headers, text } = await served.ask('GET', `/api/v1/entitlement-changes${query}`, { headers: { Cookie } });
      const lines = text.split('\n').slice(0, -1);
      return { cursor: headers['charter-cursor'] as string, changes: lines.map((line) => JSON.parse(line)) };
    };
    const [first, end] = [await poll(''), await poll('?after=end')];
    expect([first.changes, end]).toEqual([[], first]);
    await addMember(other);
    const second = await poll(`?after=${first.cursor}`);
    expect([second.changes, second.cursor === first.cursor]).toEqual([[], false]);
    await addMember(theirs);
    const third = await poll(`?after=${second.cursor}`);
    expect(third.changes).toMatchObject([{ organization: theirs, revision: 2, cursor: third.cursor }]);
    expect(await poll(`?after=${third.cursor}`)).toEqual({ cursor: third.cursor, changes: [] });
  });

  it('sends to a bound key, and to a person, only the changes of their organizations', async () => {
    const ada = await person(served);
    const [theirs, other] = [await founded(served, { by: all }), await founded(served, { by: all })];
    await addMember(theirs, ada.id);
    const bound = await follow({ key: await served.key({ scopes: ['flags:read'], organization: theirs }) });
    const member = await follow({ headers: { Cookie: (await signedIn(served, ada)).cookieHeader() } });
    const unbound = await follow();
    await addMember(other);
    await addMember(theirs);
    for (const stream of [bound, member, unbound]) await until(() => about(stream, theirs).length === 1);
    expect([bound, member, unbound].map((stream) => about(stream, other).length)).toEqual([0, 0, 1]);
    await addMember(other, ada.id, 'admin'); // from now on, the person may read this organization too
    await until(() => about(member, other).length === 1);
    expect(about(bound, other)).toEqual([]);
  });

  it('refuses a key with another scope, an auditor of the platform, and a person without an organization', async () => {
    const audits = await served.key({ scopes: ['audit:read', 'organizations:read'] });
    const auditor = await signedIn(served, await person(served, { role: 'auditor' }));
    const stranger = await signedIn(served, await person(served));
    expect((await follow({ key: audits })).status).toBe(403);
    for (const by of [auditor, stranger])
      expect((await follow({ headers: { Cookie: by.cookieHeader() } })).status).toBe(403);
  });

  it('ends within ten seconds after the key was revoked, without a further notice', async () => {
    const key = await served.key({ scopes: ['flags:read'] });
    const stream = await follow({ key });
    const id = await founded(served, { by: all });
    await until(() => about(stream, id).length === 1);
    await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
    await new Promise((resolve) => setTimeout(resolve, 600)); // a check of the permission is valid for half a second
    await addMember(id);
    await until(() => stream.ended() === 'ended', 10_000);
    expect(about(stream, id)).toHaveLength(1);
    expect((await follow({ key })).status).toBe(401);
  });

  it('takes no place of the auditors’ change feed', async () => {
    const streams = await Promise.all(Array.from({ length: 70 }, () => follow({ key: all })));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const feed = await following(`${served.url}/api/v1/events?after=end`, { key: all });
    followers.push(feed);
    expect(feed.status).toBe(200);
    const { text } = await served.ask('GET', '/metrics');
    expect(text).toMatch(/^charter_flag_listeners 70$/m);
    expect(text).toMatch(/^charter_flag_notices_total [1-9]/m);
  });
});
