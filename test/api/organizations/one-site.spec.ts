import { randomUUID } from 'node:crypto';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { paused, resumed, type Served } from '../../support/serving';
import { accountEventsOf, person, signedIn } from '../../support/sign-in/people';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

/** Founds an organization. Its event 1 assigns a plan, and its event 2 adds a site. */
async function withSite(owner?: string) {
  const id = await founded(served, { by: key });
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
  const made = await ask('POST', path(id, '/sites'), { body: { hostname: 'münchen.de', name: 'Shop' } });
  if (owner) await done(served, key, id, ['POST', '/members', { user: owner, role: 'owner' }]);
  return { id, site: made.body.id as string };
}
const siteOf = (id: string, site: string, query = '', headers: Record<string, string> = {}) =>
  ask('GET', path(id, `/sites/${site}${query}`), { headers });

describe('GET …/sites/:site', () => {
  it("answers with the site as the organization's document shows it, and with the reason of each feature", async () => {
    const { id, site } = await withSite();
    await done(served, key, id, ['PATCH', `/sites/${site}`, { features: { logo: false } }]);
    const { status, body, headers } = await siteOf(id, site);
    const { body: document } = await ask('GET', path(id));
    const { features, organization, revision, at, ...rest } = body;
    const { features: on, ...printed } = document.sites[0];
    expect([status, organization, revision, at]).toEqual([200, id, 3, document.at]);
    expect(rest).toEqual(printed);
    expect(
      Object.fromEntries(Object.entries(features).map(([name, one]) => [name, (one as { on: boolean }).on])),
    ).toEqual(on);
    expect(features.logo).toEqual({ on: false, because: 'site', event: 3, at });
    expect(features.reports).toMatchObject({ on: true, because: 'plan', event: 1 });
    expect(headers.etag).toMatch(/^"3-/);
    expect((await siteOf(id, site, '', { 'If-None-Match': headers.etag as string })).status).toBe(304);
    await done(served, key, id, ['POST', '/close', { reason: 'the end' }]);
    expect((await siteOf(id, site)).body.features.logo).toMatchObject({ on: false, because: 'closed', event: 4 });
  });

  it('answers with `asOf` only to callers who may read the history, and Charter records the read', async () => {
    const [owner, member] = [await person(served), await person(served)];
    const { id, site } = await withSite(owner.id);
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: member.id, role: 'member' }],
      ['PATCH', `/sites/${site}`, { features: { logo: false } }],
      ['DELETE', `/sites/${site}`],
    );
    expect((await siteOf(id, site)).body).toMatchObject({
      status: 404,
      type: '/problems/no-such-site',
      detail: expect.stringContaining('The list of its sites contains their ids.'),
    });
    expect((await siteOf(id, site, '?asOf=3')).body.features.logo).toMatchObject({ on: true, because: 'plan' });
    expect((await siteOf(id, site, '?asOf=5')).body.features.logo).toMatchObject({ on: false, because: 'site' });
    expect((await siteOf(id, site, '?asOf=1')).status).toBe(404);
    const statuses = [];
    for (const reader of [owner, member, await person(served)]) {
      const page = await signedIn(served, reader);
      for (const query of ['', '?asOf=5']) statuses.push((await page.get(path(id, `/sites/${site}${query}`))).status);
    }
    expect(statuses).toEqual([404, 200, 404, 403, 404, 404]);
    const read = (await accountEventsOf(served, owner)).filter(({ type }) => type === 'HistoryRead');
    expect(read.map(({ data }) => data)).toEqual([{ organization: id }]);
  });

  it('includes a change that the read model does not contain yet', async () => {
    const { id, site } = await withSite();
    await paused(served);
    await done(served, key, id, ['PATCH', `/sites/${site}`, { features: { logo: false } }]);
    const { body } = await siteOf(id, site);
    await resumed(served);
    expect([body.revision, body.features.logo.because]).toEqual([3, 'site']);
  });

  it.each([
    ['no-such-site', () => randomUUID(), 404],
    ['malformed', () => 'constructor', 400],
    ['malformed', () => 'x'.repeat(5_000), 400],
  ])('answers with the problem `%s` for an unknown or malformed id', async (type, other, status) => {
    const { id } = await withSite();
    const { body } = await siteOf(id, other());
    expect([body.status, body.type]).toEqual([status, `/problems/${type}`]);
    expect((await siteOf(randomUUID(), randomUUID())).status).toBe(404);
  });
});

describe('References to events in the document of an organization', () => {
  it('name the events of members, roles and sales, also in documents of the past', async () => {
    const member = randomUUID();
    const id = await founded(served, { by: key, owner: randomUUID() });
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: member, role: 'member' }],
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['PATCH', `/members/${member}`, { role: 'admin' }],
      ['PUT', '/plan', { line: 'second', plan: 'enterprise' }],
      ['POST', '/close', { reason: 'the end' }],
    );
    const documentAt = async (query = '') => (await ask('GET', path(id, query))).body;
    const memberIn = ({ members }: Awaited<ReturnType<typeof documentAt>>) =>
      (members as { _id: string; since: { event: number }; roleSince: { event: number } }[]).find(
        ({ _id }) => _id === member,
      )!;
    const [now, then] = [await documentAt(), await documentAt('?asOf=3')];
    expect([memberIn(now), memberIn(then)]).toMatchObject([
      { role: 'admin', since: { event: 2 }, roleSince: { event: 4 } },
      { role: 'member', since: { event: 2 }, roleSince: { event: 2 } },
    ]);
    expect([now.since.plans.second.event, then.since.plans.second.event]).toEqual([5, 3]);
    expect([now.closure, then.closure]).toEqual([{ reason: 'the end', event: 6, at: now.at }, null]);
    expect([now.revision, then.revision, now.founded]).toEqual([6, 3, then.founded]);
  });
});
