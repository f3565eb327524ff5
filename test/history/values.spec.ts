import { randomUUID } from 'node:crypto';
import type { ValueChange } from '@charter/organization-view';
import { serviceForSpecs } from '../support/requests/http-client';
import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { longPast } from './as-of/long-life';
import { renamedByErased } from './erased-actor';
import { expectReaders } from './readers-of';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

type Page = { path: string; changes: ValueChange[]; next: string | null };

const changesOf = async (id: string, query: string) => {
  const { status, body, text } = await ask('GET', path(id, `/changes?${query}`));
  if (status !== 200) throw new Error(text);
  return body as unknown as Page;
};

/**
 * An organization whose second member was added, became an administrator and was removed. Its site has a feature
 * switched off.
 */
async function lived() {
  const [owner, member] = [randomUUID(), randomUUID()];
  const id = await founded(served, { by: key, owner });
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
  const made = await ask('POST', path(id, '/sites'), { body: { hostname: 'shop.test', name: 'Shop' } });
  const site = made.body.id as string;
  const requests = [
    ['POST', '/members', { user: member, role: 'member' }],
    ['PATCH', `/sites/${site}`, { features: { logo: false } }],
    ['PATCH', `/members/${member}`, { role: 'admin' }],
    ['DELETE', `/members/${member}`],
    ['POST', '/close', { reason: 'the end' }],
  ] as const;
  for (const request of requests) {
    served.clock.advance(60_000);
    await done(served, key, id, request);
  }
  return { id, owner, member, site };
}

describe('Changes of one value of an organization', () => {
  it('list every value with the event that set it, the newest first', async () => {
    const { id, site } = await lived();
    const { changes, ...rest } = await changesOf(id, `path=/sites/${site}/features/logo`);
    expect(rest).toEqual({ path: `/sites/${site}/features/logo`, next: null });
    expect(changes.map(({ type, before, after }) => [type, before, after])).toEqual([
      ['SiteFeaturesChanged', true, false],
      ['SiteAdded', undefined, true],
    ]);
    expect(changes[0]!.actor).toEqual({ kind: 'key', id: expect.any(String) });
    const [closed, ...plans] = (await changesOf(id, 'path=/closed')).changes;
    expect([closed!.before, closed!.after, plans.length]).toEqual([false, true, 1]);
    const [plan] = (await changesOf(id, 'path=/plans/second/plan&order=oldest')).changes;
    expect(plan).toMatchObject({ type: 'PlanAssigned', after: 'teams', effectiveAt: plan!.at });
  });

  it('contain the same values as `asOf` at the event, and as `asOf` at the revision before the event', async () => {
    const { id, member } = await lived();
    for (const [pointer, valueIn] of [
      ['/limits/users', (body: { limits: { users: object } }) => body.limits.users],
      ['/features/feedback', (body: { features: { feedback: object } }) => body.features.feedback],
    ] as const)
      for (const { revision, before, after } of (await changesOf(id, `path=${pointer}`)).changes) {
        const at = async (asOf: number) =>
          valueIn((await ask('GET', path(id, `/entitlements?asOf=${asOf}`))).body as never) as Record<string, unknown>;
        const value = await at(revision);
        expect(value).toMatchObject(after as object);
        if (before !== undefined) expect(await at(revision - 1)).toMatchObject(before);
      }
    const members = (await changesOf(id, 'path=/members&order=oldest')).changes;
    expect(
      members.map(({ before, after }) =>
        [before, after].map((list) => Object.keys((list as object | undefined) ?? {})),
      ),
    ).toEqual([
      [[], []],
      [[], [expect.any(String)]],
      [[], [member]],
      [[member], [member]],
      [[member], []],
    ]);
  });

  it('come in pages that contain each change once, in both orders', async () => {
    const { id } = await lived();
    const all = (await changesOf(id, 'path=&limit=100')).changes;
    for (const order of ['newest', 'oldest']) {
      const seen: ValueChange[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Page = await changesOf(id, `path=&limit=2&order=${order}${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.changes);
        cursor = page.next;
      }
      expect(order === 'newest' ? seen : seen.reverse()).toEqual(all);
    }
  });

  it('are complete for a long history', async () => {
    const id = await founded(served, { by: key });
    await longPast(served.charter, id, 1_400);
    await done(served, key, id, ['PATCH', '', { name: 'Acme Oy' }]);
    expect((await changesOf(id, 'path=/name')).changes.map(({ revision }) => revision)).toEqual([1_401, 0]);
    const { changes } = await changesOf(id, 'path=/limits/users/overridden');
    expect(changes.map(({ revision }) => revision)).toEqual([1, 0]);
  });

  it.each([
    ['', 'path'],
    ['path=members', 'path'],
    ['path=/chairs', 'path'],
    ['path=/limits/chairs', 'path'],
    ['path=/__proto__/constructor', 'path'],
    ['path=/limits/users/because/0', 'path'],
    ['path=/name~2', 'path'],
    [`path=/members/${randomUUID()}`, 'path'],
    [`path=${'/a'.repeat(5_000)}`, 'path'],
    ['path=/name&order=random', 'order'],
    ['path=/name&limit=101', 'limit'],
    ['path=/name&cursor=x', 'cursor'],
    ['path=/name&order=newest&cursor=WyJvbGRlc3QiLDNd', 'cursor'],
    ['path=/name&asOf=1', 'asOf'],
  ])('cannot be requested with %s: the answer is 400', async (query, field) => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, `/changes?${query}`));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });

  it('contain the id of an erased person who acted, but no name or address of the person', async () => {
    const { id, actor, personal } = await renamedByErased(served, key);
    const [renamed] = (await changesOf(id, 'path=/name')).changes;
    expect(renamed).toMatchObject({ before: 'Acme', after: 'Acme Oy', actor });
    const members = (await changesOf(id, 'path=/members')).changes;
    expect(members[0]).toMatchObject({ type: 'MemberRemoved', before: { [actor.id]: { role: 'admin' } } });
    for (const one of personal) expect(JSON.stringify([renamed, members])).not.toContain(one);
  });

  it('can be read by an owner and an auditor, not by a plain member or a stranger; Charter records the read', async () => {
    await expectReaders(served, key, ['GET', '/changes?path=/name']);
    expect((await ask('GET', path(randomUUID(), '/changes?path=/name'))).status).toBe(404);
  });
});
