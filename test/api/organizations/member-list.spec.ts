import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../../support/requests/organizations';
import { paused, resumed, type Served, serving } from '../../support/serving';
import { accountEventsOf, type Browser, PASSWORD, person, signedIn } from '../../support/sign-in/people';

let served: Served;
let key: string;
let id: string;
let owner: Browser;
let people: Readonly<Record<'olga' | 'zoe' | 'ada' | 'unknown' | 'invited', string>>;

/** Olga is the owner. Zoë and Ada have accepted their memberships. One member is invited, and one has no account. */
beforeAll(async () => {
  served = await serving({ environment: { RATE_LIMITS: 'off' } });
  key = await served.key();
  const [olga, zoe, ada] = [
    await person(served, { name: 'Olga' }),
    await person(served, { name: 'Zoë' }),
    await person(served, { name: 'ada' }),
  ];
  id = await founded(served, { by: key, owner: olga.id });
  owner = await signedIn(served, olga);
  expect((await owner.send('POST', `/api/v1/me/organizations/${id}/accept`)).status).toBe(204);
  const unknown = randomUUID();
  for (const [email, role] of [
    [zoe.email!, 'admin'],
    [ada.email!, 'member'],
    ['bne@example.test', 'member'],
  ])
    expect((await owner.send('POST', path(id, '/members'), { email, role })).status).toBe(201);
  await done(served, key, id, ['POST', '/members', { user: unknown, role: 'member' }]);
  const invited = membersIn(await owner.get(path(id, '/members?state=invited')))[0]!.user;
  people = { olga: olga.id, zoe: zoe.id, ada: ada.id, unknown, invited };
});
afterAll(() => served.close());

type Answered = Awaited<ReturnType<Browser['get']>>;
const membersIn = ({ status, body, text }: Answered) => {
  if (status !== 200) throw new Error(text);
  return body.members as readonly { user: string; role: string; name?: string; since: { event: number } }[];
};
const listed = async (query = '') => membersIn(await owner.get(path(id, `/members?${query}`))).map(({ user }) => user);
const search = (body: object, query = '', by = owner) => by.send('POST', path(id, `/members/search${query}`), body);
const found = async (body: object) => membersIn(await search(body)).map(({ user }) => user);

describe('GET …/members', () => {
  it('sorts the members by name or e-mail address, or on request by role or by the time of their addition', async () => {
    const { ada, invited, olga, zoe, unknown } = people;
    expect(await listed()).toEqual([ada, invited, olga, zoe, unknown]);
    expect(await listed('sort=role')).toEqual([olga, zoe, ada, invited, unknown]);
    expect(await listed('sort=-since')).toEqual([unknown, invited, ada, zoe, olga]);
    const { body } = await owner.get(path(id, '/members?limit=1'));
    expect([body.inAll, body.members[0]]).toMatchObject([5, { name: 'ada', role: 'member', since: { event: 3 } }]);
  });

  it('filters by role and state, and counts the members that match', async () => {
    const { ada, invited, olga, zoe, unknown } = people;
    expect(await listed('role=member')).toEqual([ada, invited, unknown]);
    expect(await listed('state=active')).toEqual([ada, olga, zoe]);
    expect(await listed('state=invited')).toEqual([invited]);
    expect(await listed('state=unknown&role=member')).toEqual([unknown]);
    expect(await listed('state=erased')).toEqual([]);
    expect((await owner.get(path(id, '/members?state=active&limit=1'))).body.inAll).toBe(3);
  });

  it.each(['name', 'role', '-since'])('has pages in the order %s, and each member is on one page', async (sort) => {
    const all = await listed(`sort=${sort}`);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await owner.get(path(id, `/members?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`));
      seen.push(...membersIn(answer).map(({ user }) => user));
      cursor = answer.body.next as string | null;
      if (cursor !== null)
        expect(Buffer.from(cursor, 'base64url').toString()).toMatch(/^\["[a-z-]+",\d,"[\da-f-]{36}"\]$/);
    }
    expect(seen).toEqual(all);
  });

  it('answers for an earlier revision, and includes changes that the read model does not contain yet', async () => {
    const { olga, zoe } = people;
    expect(await listed('asOf=2')).toEqual([olga, zoe]);
    const late = randomUUID();
    await paused(served);
    await done(served, key, id, ['POST', '/members', { user: late, role: 'member' }]);
    expect(await listed('sort=-since&limit=1')).toEqual([late]);
    await done(served, key, id, ['DELETE', `/members/${late}`]);
    await resumed(served);
  });

  it.each([
    ['q=ada', 'q'],
    ['role=operator', 'role'],
    ['state=closed', 'state'],
    ['sort=email', 'sort'],
    ['cursor=x', 'cursor'],
    [`sort=role&cursor=${Buffer.from(JSON.stringify(['name', 1, randomUUID()])).toString('base64url')}`, 'cursor'],
    ['limit=0', 'limit'],
  ])('answers 400 to %s', async (query, field) => {
    const { status, body } = await owner.get(path(id, `/members?${query}`));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body)).toContain(field);
  });
});

describe('POST …/members/search', () => {
  it('finds members by the names, usernames and addresses that the list shows, and by complete ids', async () => {
    const { ada, invited, olga, zoe, unknown } = people;
    expect(await found({ q: 'ADA' })).toContain(ada);
    expect(await found({ q: 'zoë' })).toEqual([zoe]);
    expect(await found({ q: 'bne@' })).toEqual([invited]);
    expect(await found({ q: unknown })).toEqual([unknown]);
    expect(await found({ q: unknown.toUpperCase() })).toEqual([unknown]);
    expect(await found({ q: unknown.slice(0, 8) })).toEqual([]);
    expect(await found({ q: 'olga', role: 'member' })).toEqual([]);
    expect(await found({ q: 'olga', state: 'active' })).toEqual([olga]);
    expect((await search({ q: '@', limit: 1 })).body).toMatchObject({ inAll: 4, next: expect.any(String) });
  });

  it('finds members by names with joiners and emoji', async () => {
    const names = ['علی\u200cرضا', 'Ada 👩\u200d💻'];
    const here = await founded(served, { by: key });
    for (const name of names) {
      const { email } = await person(served, { name });
      await done(served, key, here, ['POST', '/members', { email, role: 'member' }]);
    }
    const search = (q: string) => served.ask('POST', path(here, '/members/search'), { key, body: { q } });
    for (const name of names) expect(membersIn(await search(name))).toMatchObject([{ name }]);
  });

  it('does not find a person by a name, username or address that the list does not show', async () => {
    const here = await founded(served, { by: key });
    const eve = await person(served, { name: 'Eve' });
    const otto = await person(served, { name: 'Otto', role: 'auditor' });
    for (const user of [eve.id, otto.id]) await done(served, key, here, ['POST', '/members', { user, role: 'owner' }]);
    const ask = async (q: string) =>
      (await served.ask('POST', path(here, '/members/search'), { key, body: { q } })).body;
    expect([await ask('eve'), await ask(eve.email!), await ask('otto')]).toEqual(
      Array.from({ length: 3 }, () => ({ members: [], next: null, inAll: 0 })),
    );
    expect((await ask(eve.id)).members).toHaveLength(1);
  });

  it('finds an erased person of a closed organization only by id', async () => {
    const operator = await person(served, { role: 'operator' });
    const eve = await person(served, { name: 'Eve' });
    const here = await founded(served, { by: key, owner: randomUUID() });
    const found = (q: string) => served.ask('POST', path(here, '/members/search'), { key, body: { q } });
    await done(served, key, here, ['POST', '/members', { user: eve.id, role: 'member' }]);
    await done(served, key, here, ['POST', '/close', { reason: 'the end' }]);
    const erase = { password: PASSWORD };
    expect(
      (await (await signedIn(served, operator)).send('POST', `/api/v1/accounts/${eve.id}/erase`, erase)).status,
    ).toBe(200);
    expect((await found('eve')).body.members).toEqual([]);
    expect((await found(eve.id)).body.members).toMatchObject([{ user: eve.id, erased: true }]);
    const { body } = await served.ask('GET', path(here, '/members?state=erased'), { key });
    expect([body.inAll, body.members]).toMatchObject([1, [{ user: eve.id }]]);
  });

  it('answers 404 to a person who is not a member', async () => {
    const stranger = await signedIn(served, await person(served));
    expect((await search({ q: 'a' }, '', stranger)).status).toBe(404);
  });

  it('of the past is open to auditors but not to members, and Charter records the read once', async () => {
    const auditor = await person(served, { role: 'auditor' });
    const plain = (await served.charter.database.people.accounts.byId(people.ada))!;
    const read = async () =>
      (await accountEventsOf(served, auditor)).filter(({ type }) => type === 'HistoryRead').map(({ data }) => data);
    const [aud, ada] = [await signedIn(served, auditor), await signedIn(served, plain)];
    expect((await search({ q: 'a' }, '', aud)).status).toBe(200);
    expect(await read()).toEqual([]);
    for (const query of ['?asOf=2', '?valid=2999-01-01T00:00:00Z']) {
      expect([query, (await search({ q: 'a' }, query, aud)).status]).toEqual([query, 200]);
      expect([query, (await search({ q: 'a' }, query, ada)).status]).toEqual([query, 403]);
    }
    expect(await read()).toEqual([{ organization: id }]);
  });

  it.each([
    [{}, 'q'],
    [{ q: '' }, 'q'],
    [{ q: 'x'.repeat(201) }, 'q'],
    [{ q: 'x\u0000y' }, 'q'],
    [{ q: 'x\ud800y' }, 'q'],
    [{ q: 7 }, 'q'],
    [{ q: 'a', limit: 101 }, 'limit'],
    [{ q: 'a', more: 1 }, 'more'],
  ])('answers 400 to %j', async (body, field) => {
    const answer = await search(body);
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(answer.body.errors)).toContain(field);
  });
});
