import { randomUUID } from 'node:crypto';
import { applied } from '../../libs/organization-view/src/applied.testing';
import { keyedDocument } from '../../libs/organization-view/src/steps/keyed-document';
import type { Step } from '@charter/organization-view';
import { fullOrganization, rightRequests } from '../support/requests/full-organization';
import { serviceForSpecs } from '../support/requests/http-client';
import { founded, path } from '../support/requests/organizations';
import type { Route } from '../support/requests/routes';
import type { Served } from '../support/serving';
import { longPast } from './as-of/long-life';
import { renamedByErased } from './erased-actor';
import { expectReaders } from './readers-of';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

type Block = { from: number; to: number; base?: { document: object; entitlements: object }; steps: Step[] };

/** Requests that change an organization in many ways, in an order in which the rules accept all of them. */
const life: readonly Route[] = [
  'PATCH /api/v1/organizations/:id',
  'PUT /api/v1/organizations/:id/limits',
  'PUT /api/v1/organizations/:id/limits/override',
  'PATCH /api/v1/organizations/:id/members/:user',
  'PATCH /api/v1/organizations/:id/sites/:site',
  'POST /api/v1/organizations/:id/traffic',
  'PUT /api/v1/organizations/:id/service-level',
  'PUT /api/v1/organizations/:id/parallel-use',
  'DELETE /api/v1/organizations/:id/limits/override',
  'DELETE /api/v1/organizations/:id/sites/:site',
  'DELETE /api/v1/organizations/:id/quality-assurance/domains/:domain',
  'DELETE /api/v1/organizations/:id/add-ons/:purchase',
  'DELETE /api/v1/organizations/:id/members/:user',
  'PUT /api/v1/organizations/:id/product',
  'DELETE /api/v1/organizations/:id/plan/:line',
  'POST /api/v1/organizations/:id/close',
];

async function lived(): Promise<string> {
  const organization = await fullOrganization(served, key);
  for (const route of life) {
    served.clock.advance(60_000);
    const { path: address, body } = rightRequests[route]!(organization);
    const answer = await ask(route.split(' ')[0]!, address, { body });
    if (answer.status >= 300) throw new Error(`${route}: ${answer.text}`);
  }
  return organization.id;
}
const stepsOf = async (id: string, query: string) => {
  const { status, body, text } = await ask('GET', path(id, `/steps?${query}`));
  if (status !== 200) throw new Error(text);
  return body as unknown as Block;
};
const answersAt = async (id: string, revision: number) => {
  const [document, entitlements] = await Promise.all(
    ['', '/entitlements'].map((rest) => ask('GET', path(id, `${rest}?asOf=${revision}`))),
  );
  return {
    document: JSON.parse(JSON.stringify(keyedDocument(document!.body))) as object,
    entitlements: entitlements!.body as object,
  };
};

describe('Steps of an organization', () => {
  it('turn the base, which is the answer at the first revision, into the answer of `asOf` at every later revision', async () => {
    const id = await lived();
    const { base, steps, from, to } = await stepsOf(id, 'from=0');
    expect({ from, last: to, revisions: steps.map(({ revision }) => revision) }).toEqual({
      from: 0,
      last: steps.length,
      revisions: Array.from({ length: to }, (_, index) => index + 1),
    });
    expect(steps.length).toBeGreaterThan(life.length);
    let answers = base!;
    expect(answers).toEqual(await answersAt(id, 0));
    for (const { revision, at, ...lines } of steps) {
      answers = {
        document: { ...applied(answers.document, lines.document), revision, at },
        entitlements: { ...applied(answers.entitlements, lines.entitlements), revision, at },
      };
      expect([revision, answers]).toEqual([revision, await answersAt(id, revision)]);
    }
  });

  it('can begin at a later revision, and can omit the base and the parts that the caller does not want', async () => {
    const id = await lived();
    const all = await stepsOf(id, 'from=0');
    const some = await stepsOf(id, 'from=4&to=9&base=false');
    expect(some).toEqual({ organization: id, from: 4, to: 9, steps: all.steps.slice(4, 9) });
    const members = await stepsOf(id, 'from=0&only=members');
    expect(Object.keys(members.base!.document)).toEqual(['_id', 'revision', 'at', 'members']);
    const paths = members.steps.flatMap(({ document, entitlements }) => [...document, ...entitlements]);
    expect(new Set(paths.map(({ path: line }) => line.split('/')[1]))).toEqual(new Set(['members']));
  });

  it('can be read block by block to the end of a long history, if each request begins at the end of the previous block', async () => {
    const id = await founded(served, { by: key });
    await longPast(served.charter, id, 1_400);
    let next = 0;
    while (next < 1_400) next = (await stepsOf(id, `from=${next}&base=false`)).to;
    expect(next).toBe(1_400);
    const { base } = await stepsOf(id, 'from=1300&to=1300');
    expect(base).toEqual(await answersAt(id, 1_300));
  });

  it.each([
    ['', 'from'],
    ['from=-1', 'from'],
    ['from=2026-11-21T10:00:00Z', 'from'],
    ['from=0&to=201', 'to'],
    ['from=3&to=2', 'to'],
    ['from=0&base=no', 'base'],
    ['from=0&only=secrets', 'only'],
    [`from=0&only=${'members,'.repeat(30)}members`, 'only'],
    ['from=0&valid=2026-11-21T10:00:00Z', 'valid'],
  ])('cannot be requested with %s: the answer is 400', async (query, field) => {
    const id = await founded(served, { by: key });
    const { status, body } = await ask('GET', path(id, `/steps?${query}`));
    expect([status, body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(body.errors)).toContain(field);
  });

  it('cannot be requested from a revision that the organization does not have (400), or for an unknown organization (404)', async () => {
    const id = await founded(served, { by: key });
    expect(await ask('GET', path(id, '/steps?from=1'))).toMatchObject({
      status: 400,
      body: { type: '/problems/unknown-revision' },
    });
    expect((await ask('GET', path(randomUUID(), '/steps?from=0'))).status).toBe(404);
  });

  it('contain the id of an erased person who acted, but no name or address of the person', async () => {
    const { id, actor, personal } = await renamedByErased(served, key);
    const { text } = await ask('GET', path(id, '/steps?from=0'));
    const { steps } = JSON.parse(text) as Block;
    const renamed = steps.find(({ type }) => type === 'OrganizationRenamed');
    expect(renamed).toMatchObject({ actor });
    expect(steps.at(-1)).toMatchObject({ type: 'MemberRemoved' });
    for (const one of personal) expect(text).not.toContain(one);
  });

  it('can be read by an owner and an auditor, not by a plain member or a stranger; Charter records the read', () =>
    expectReaders(served, key, ['GET', '/steps?from=0']));
});
