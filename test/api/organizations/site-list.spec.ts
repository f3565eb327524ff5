import { randomUUID } from 'node:crypto';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { paused, resumed, type Served } from '../../support/serving';
import { person, signedIn } from '../../support/sign-in/people';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

const hostnames = ['site10.test', 'site9.test', 'münchen.example', 'blog.test'];
const names = ['Zoo', '', 'Shop', 'blog'];
async function withSites() {
  const id = await founded(served, { by: key });
  for (const [index, hostname] of hostnames.entries())
    await done(served, key, id, ['POST', '/sites', { hostname, ...(names[index] && { name: names[index] }) }]);
  return id;
}
const listOf = async (id: string, query = '') => {
  const { status, body, text } = await ask('GET', path(id, `/sites?${query}`));
  if (status !== 200) throw new Error(text);
  return body as { sites: { _id: string; unicode: string }[]; next: string | null; inAll: number };
};
const inOrder = async (id: string, query: string) => (await listOf(id, query)).sites.map(({ unicode }) => unicode);

describe('GET …/sites', () => {
  it("lists the sites as the organization's document shows them, sorted by name, hostname or age", async () => {
    const id = await withSites();
    const { sites, inAll, next } = await listOf(id);
    const { body: document } = await ask('GET', path(id));
    expect([sites.toSorted((a, b) => (a._id < b._id ? -1 : 1)), inAll, next]).toEqual([
      document.sites.toSorted((a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1)),
      4,
      null,
    ]);
    expect(await inOrder(id, '')).toEqual(['blog.test', 'münchen.example', 'site9.test', 'site10.test']);
    expect(await inOrder(id, 'sort=hostname')).toEqual(['blog.test', 'münchen.example', 'site9.test', 'site10.test']);
    expect(await inOrder(id, 'sort=-since')).toEqual(hostnames.toReversed());
  });

  it('finds sites by name, hostname and id, and counts them', async () => {
    const id = await withSites();
    const [first] = (await listOf(id)).sites;
    const found = async (q: string) => {
      const { sites, inAll } = await listOf(id, `q=${encodeURIComponent(q)}&limit=1`);
      return [sites.map(({ unicode }) => unicode), inAll];
    };
    expect([await found('SITE'), await found('MÜN'), await found('xn--'), await found(first!._id)]).toEqual([
      [['site9.test'], 2],
      [['münchen.example'], 1],
      [['münchen.example'], 1],
      [[first!.unicode], 1],
    ]);
    expect(await found('nothing')).toEqual([[], 0]);
  });

  it('has pages that contain each site once, even if a site is removed between two requests', async () => {
    const id = await withSites();
    const first = await listOf(id, 'limit=2');
    await done(served, key, id, ['DELETE', `/sites/${first.sites[1]!._id}`]);
    const rest = await listOf(id, `limit=2&cursor=${first.next}`);
    expect([...first.sites, ...rest.sites].map(({ unicode }) => unicode)).toEqual([
      ...['blog.test', 'münchen.example', 'site9.test', 'site10.test'],
    ]);
    expect([rest.next, rest.inAll]).toEqual([null, 3]);
  });

  it('answers for an earlier revision and for a closed organization, and includes changes that are not yet in the read model', async () => {
    const id = await withSites();
    expect((await listOf(id, 'asOf=2')).inAll).toBe(2);
    await paused(served);
    await done(served, key, id, ['POST', '/sites', { hostname: 'new.test' }]);
    expect((await listOf(id)).inAll).toBe(5);
    await resumed(served);
    await done(served, key, id, ['POST', '/close', { reason: 'the end' }]);
    expect((await listOf(id, 'q=new')).sites).toMatchObject([{ features: { logo: false } }]);
    const { headers } = await ask('GET', path(id, '/sites'));
    const known = { 'If-None-Match': headers.etag as string };
    expect((await ask('GET', path(id, '/sites'), { headers: known })).status).toBe(304);
  });

  it('is for members; lists of the past are only for people who may read the history', async () => {
    const [owner, member] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(served, key, id, ['POST', '/members', { user: member.id, role: 'member' }]);
    const statuses = [];
    for (const reader of [owner, member, await person(served)]) {
      const page = await signedIn(served, reader);
      for (const query of ['', '?asOf=0']) statuses.push((await page.get(path(id, `/sites${query}`))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 403, 404, 404]);
    expect((await ask('GET', path(randomUUID(), '/sites'))).status).toBe(404);
  });

  it.each([
    ['sort=age', 'sort'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    [`sort=hostname&cursor=${Buffer.from(JSON.stringify(['name', 1, randomUUID()])).toString('base64url')}`, 'cursor'],
    [`q=${'x'.repeat(201)}`, 'q'],
    ['state=active', 'state'],
  ])('answers 400 to %s', async (query, field) => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, `/sites?${query}`));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });
});
