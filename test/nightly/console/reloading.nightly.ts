import type { Page, Request, Route } from 'playwright-core';
import { call } from '../../journeys/browser/page-actions';
import { staged, type Visit } from '../../journeys/browser/stage';
import { violationsOn } from '../../journeys/browser/violations';
import { draftAddress } from '../../../web/src/console/draft/address/draft-address';
import { member, organizationOnTeams, rename } from '../../journeys/recorded';
import { chosenFor, committed, PASSWORD, pointers, seen, signedIn } from '../../journeys/browser/stops';

const stage = staged();
const OLGA = 'olga@pier.example';
const UNKNOWN = 'We do not know whether it happened. The page asks the service again.';
let olga: string;
let nina: string;

beforeAll(async () => {
  const { settle } = stage.service;
  [olga, nina] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: 'nina@pier.example', name: 'Nina Noor', password: PASSWORD }),
  ]);
}, 60_000);

const isChange = (request: Request) => request.method() !== 'GET' && request.method() !== 'HEAD';
/** The row of Nina in the list of members. The owner sees her id, because Nina has not shown her name to members. */
const rowOfNina = (page: Page) => page.locator('tbody tr', { hasText: nina });
const keyOf = (request: Request) => request.headers()['idempotency-key'];

/**
 * Opens a page of an organization with a second member (#3). Until the first reload, the service executes each change
 * at this path, but its answer does not reach the page.
 */
async function withoutAnswers(path: string, changes: (id: string) => string) {
  const id = await organizationOnTeams(stage.service.charter, olga, member(nina)); // #0 to #3
  const visit = await signedIn(stage, OLGA, `/org/${id}/${path}`);
  const at = changes(`/api/v1/organizations/${id}`);
  visit.mayFail(at);
  let isLost = true;
  const lose = async (route: Route) => {
    if (!isLost || !isChange(route.request())) return route.continue();
    await route.fetch(); // the service executes the change, but the page gets no answer
    return route.abort();
  };
  await visit.page.route((url) => url.pathname === at, lose);
  const reload = async () => {
    isLost = false;
    await visit.page.reload();
  };
  const sent = () => visit.requests.filter((one) => isChange(one) && new URL(one.url()).pathname === at);
  return { ...visit, id, reload, sent };
}

/** The types of the events after the four events with which the organization began. */
async function newEvents(page: Page, id: string): Promise<readonly string[]> {
  const { body } = await call(page, 'GET', `/api/v1/organizations/${id}/events?from=4`);
  return (body.events as { type: string }[]).map(({ type }) => type);
}

/** Checks that axe finds nothing, and that the person has used only the keyboard. */
async function expectRules({ page }: Pick<Visit, 'page'>): Promise<void> {
  expect(await violationsOn(page)).toEqual([]);
  expect(await pointers(page)).toBe(0);
}

describe('A person who reloads the page because the answer to a change did not arrive', () => {
  it('reads what happened after the page has sent the request again with the same idempotency key, and can undo the one change', async () => {
    const visit = await withoutAnswers('members', (organization) => `${organization}/members/${nina}`);
    const { page, id, reload, sent } = visit;
    await chosenFor(page, rowOfNina(page), 'a'); // `a` chooses the role Admin
    await seen(page, UNKNOWN);
    await expectRules(visit);
    const before = sent().length;
    await reload();
    await seen(page, 'The change that you began before is executed: Role changed.');
    await rowOfNina(page).getByText('Admin').first().waitFor();
    await expectRules(visit);

    expect(sent().length).toBeGreaterThan(before);
    expect(new Set(sent().map(keyOf)).size).toBe(1);
    expect(keyOf(sent()[0]!)).toEqual(expect.any(String));
    expect(await newEvents(page, id)).toEqual(['MemberRoleChanged']);
    expect(await page.getByRole('link', { name: 'Undo…' }).getAttribute('href')).toBe(`/org/${id}/draft?undo=4`);

    await page.reload(); // the outcome is known, so the page asks no more
    await rowOfNina(page).waitFor();
    expect(await page.getByText('The change that you began before').count()).toBe(0);
    expect(await newEvents(page, id)).toHaveLength(1);
  });

  it('reads that the outcome is unknown, because the browser does not store the typed hostname, and finds the one site in the list', async () => {
    const visit = await withoutAnswers('sites', (organization) => `${organization}/sites`);
    const { page, id, reload, sent } = visit;
    await page.getByRole('button', { name: 'Add a site…' }).waitFor();
    await page.keyboard.press('i');
    await page.getByRole('textbox', { name: 'Hostname', exact: true }).waitFor();
    await page.keyboard.type('shop.pier.example');
    // the page has received the preview of the new site
    await page.getByRole('dialog').getByText('Then 1 of 2.').waitFor();
    await page.keyboard.press('Enter');
    await seen(page, UNKNOWN);
    await expectRules(visit);
    const stored = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).not.toContain('shop.pier.example');

    await reload();
    await seen(page, /^You began a change before this page opened, and we do not know whether it happened\./);
    await page.locator('tbody tr', { hasText: 'shop.pier.example' }).waitFor();
    await expectRules(visit);
    expect(new Set(sent().map(keyOf)).size).toBe(1);
    expect(await newEvents(page, id)).toEqual(['SiteAdded']);
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await page.getByText(/^Site .+ added$/).waitFor();
  });

  it('reads which events the commit of a draft has recorded, because the page repeats the commit with the same idempotency key', async () => {
    const draft = (await draftAddress('any', [rename('Old Pier')])).replace('/org/any/', '');
    const visit = await withoutAnswers(draft, (organization) => `${organization}/commands`);
    const { page, id, reload, sent } = visit;
    await committed(page);
    await seen(page, 'We do not know whether it happened.');
    await expectRules(visit);
    const before = sent().length;
    await reload();
    await seen(page, '1 event, #4');
    await expectRules(visit);
    expect(sent().length).toBeGreaterThan(before);
    expect(new Set(sent().map(keyOf)).size).toBe(1);
    expect(await newEvents(page, id)).toEqual(['OrganizationRenamed']);

    await page.reload(); // the outcome is known, so the page sends nothing again
    await seen(page, 'This tab has already committed this draft: 1 event, #4.');
    expect(await newEvents(page, id)).toHaveLength(1);
  });

  it('reads on another page that the commit of a draft is executed once; until then, the other page has no draft', async () => {
    const draft = (await draftAddress('any', [rename('Old Pier')])).replace('/org/any/', '');
    const visit = await withoutAnswers(draft, (organization) => `${organization}/commands`);
    const { page, id, reload, sent } = visit;
    await committed(page);
    await seen(page, 'We do not know whether it happened.');
    for (const key of ['g', 'm']) await page.keyboard.press(key);
    await seen(page, UNKNOWN);
    await rowOfNina(page).waitFor();
    const { pathname, hash } = new URL(page.url());
    expect(pathname + hash).toBe(`/org/${id}/members`);
    expect(await page.getByRole('complementary', { name: 'Draft' }).count()).toBe(0);
    await expectRules(visit);
    await reload();
    await seen(page, 'The change that you began before is executed: Organization renamed.');
    await expectRules(visit);
    expect(new Set(sent().map(keyOf)).size).toBe(1);
    expect(await newEvents(page, id)).toEqual(['OrganizationRenamed']);
  });
});
