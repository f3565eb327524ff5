import { randomUUID } from 'node:crypto';
import type { OrganizationCommand } from '@charter/organization';
import type { Cookie, Page } from 'playwright-core';
import { call, signIn } from './browser/page-actions';
import { expectSeen } from './browser/visible-text';
import { eventually } from './browser/eventually';
import { type Visit, staged } from './browser/stage';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
let auditor: Cookie[] | undefined;

beforeAll(async () => {
  const { service } = stage;
  await service.settle({ email: 'aud@charter.example', password: PASSWORD, role: 'auditor' });
});

/** Founds an organization with these commands, and opens its overview as an auditor. */
async function overviewOf(...commands: readonly OrganizationCommand[]): Promise<Page> {
  const id = await stage.service.organization({ name: 'Northwind', commands });
  const before = async (visit: Visit) => {
    if (auditor) await visit.context.addCookies(auditor);
  };
  const visit = await stage.visit(auditor ? `/org/${id}/overview` : `/login?redirect=/org/${id}/overview`, { before });
  if (!auditor) await signIn(visit, 'aud@charter.example', PASSWORD);
  auditor ??= await visit.context.cookies();
  await visit.page.getByRole('heading', { level: 3, name: 'Users', exact: true }).waitFor();
  return visit.page;
}

const plan = (line: 'first' | 'second', name: string): OrganizationCommand => ({
  type: 'AssignPlan',
  data: { line, plan: name },
});
const bought = (addOn: string, quantity = 1): OrganizationCommand => ({
  type: 'PurchaseAddOn',
  data: { purchase: randomUUID(), addOn, quantity },
});
const member = (): OrganizationCommand => ({ type: 'AddMember', data: { member: randomUUID(), role: 'member' } });

/** The use and the limit of a resource, as the page shows them below the resource's name. */
const limitOf = (page: Page, name: string) =>
  page
    .locator('li', { has: page.getByRole('heading', { level: 3, name, exact: true }) })
    .locator('p, summary') // a limit whose feature is off shows its reason, which a person can open
    .first()
    .innerText();
/** On or Off. */
const featureOf = (page: Page, name: string) =>
  page
    .locator('tr', { has: page.getByRole('rowheader', { name, exact: true }) })
    .locator('td')
    .first()
    .innerText();
const turnedOnBy = (addOn: string) =>
  `By today's catalogue, Enterprise, Pulse Enterprise, or the add-on ${addOn} would turn it on.`;
/** Checks that the add-on brings domains with this limit, and turns on its own feature and `multiUser`. */
async function expectDomainsFrom(addOn: string, name: string, limit: string): Promise<void> {
  const without = await overviewOf(plan('second', 'solo'));
  expect(await limitOf(without, `${name} domains`)).toBe('Not in Pulse Solo');
  await expectSeen(without, turnedOnBy(name));
  const page = await overviewOf(plan('second', 'solo'), bought(addOn));
  expect(await limitOf(page, `${name} domains`)).toBe(limit);
  for (const feature of [name, 'Multi-user'])
    expect([await featureOf(without, feature), await featureOf(page, feature)]).toEqual(['Off', 'On']);
}
const plans = (page: Page) => page.getByRole('region', { name: 'Plan' }).locator('h3').allInnerTexts();

describe('Plan tiers (specification 4)', () => {
  it('The first line has the plans essential, professional and enterprise', async () => {
    for (const [name, title, sections] of [
      ['essential', 'Essential', '0 of 1'],
      ['professional', 'Professional', '0 of 2'],
      ['enterprise', 'Enterprise', '0 of 1,000'],
    ] as const) {
      const page = await overviewOf(plan('first', name));
      expect(await plans(page)).toEqual([title]);
      expect(await limitOf(page, 'Content sections')).toBe(sections);
    }
  });

  it('The second line has the plans solo, teams, enterprise and light', async () => {
    for (const [name, title, users, sections] of [
      ['solo', 'Pulse Solo', '0 of 1', '0 of 1'],
      ['teams', 'Pulse Teams', '0 of 5', '0 of 2'],
      ['enterprise', 'Pulse Enterprise', '0 of 1,000', '0 of 1,000'],
      ['light', 'Pulse Light', '0 of 1', '0 of 1'],
    ] as const) {
      const page = await overviewOf(plan('second', name));
      expect(await plans(page)).toEqual([title]);
      expect([await limitOf(page, 'Users'), await limitOf(page, 'Content sections')]).toEqual([users, sections]);
    }
  });
});

describe('Add-ons (specification 4)', () => {
  it('additionalContentSection adds 1 content section', async () => {
    const page = await overviewOf(plan('second', 'teams'), bought('additionalContentSection'));
    expect(await limitOf(page, 'Content sections')).toBe('0 of 3');
    await page.getByText('2 from Pulse Teams + 1 from Content section = 3', { exact: false }).waitFor();
  });

  it('additionalUser adds 1 user', async () => {
    const page = await overviewOf(plan('second', 'teams'), bought('additionalUser', 2));
    expect(await limitOf(page, 'Users')).toBe('0 of 7');
  });

  it('qualityAssurance adds 1 QA domain, and turns on qualityAssurance and multiUser', async () => {
    await expectDomainsFrom('qualityAssurance', 'Quality assurance', '0 of 1');
  });

  it('webAnalytics allows up to 1,000 web analytics domains, and turns on webAnalytics and multiUser', async () => {
    // the limit of these domains is fixed at 1,000, so the page does not show the domain that the add-on adds
    await expectDomainsFrom('webAnalytics', 'Web analytics', '0 of 1,000');
  });

  it('feedback enables all feedback features and button tools', async () => {
    const page = await overviewOf(plan('second', 'light'), bought('feedback'));
    const tools = ['Button tool', 'Button tool: sentiment', 'Button tool: after reactions', 'Button tool: history'];
    for (const feature of ['Feedback', 'Feedback assigning', 'Feedback labels', 'Feedback notes', ...tools])
      expect([feature, await featureOf(page, feature)]).toEqual([feature, 'On']);
  });

  it('Service levels assisted and turnkey enable chatSupport', async () => {
    for (const [serviceLevel, wanted] of [
      ['none', 'Off'],
      ['assisted', 'On'],
      ['turnkey', 'On'],
    ] as const) {
      const page = await overviewOf(plan('second', 'solo'), { type: 'AssignServiceLevel', data: { serviceLevel } });
      expect([serviceLevel, await featureOf(page, 'Chat support')]).toEqual([serviceLevel, wanted]);
    }
  });
});

describe('Limits (specification 5)', () => {
  const alice = { email: 'alice@northwind.example', password: PASSWORD };

  it('Charter parses hostnames, and blocks adding members or content sections when the count would exceed the limit', async () => {
    const { service } = stage;
    const admin = await service.settle(alice);
    const commands = [plan('second', 'teams'), { type: 'AddMember', data: { member: admin, role: 'admin' } } as const];
    const id = await service.organization({ name: 'Northwind', commands: [...commands, member(), member(), member()] });
    const visit = await stage.visit('/login');
    const { page } = visit;
    await signIn(visit, alice.email, PASSWORD);
    const here = `/api/v1/organizations/${id}`;
    visit.mayFail(`${here}/sites`);
    visit.mayFail(`${here}/members`);
    const site = (hostname: string) => call(page, 'POST', `${here}/sites`, { hostname });
    const addMember = () => call(page, 'POST', `${here}/members`, { user: randomUUID(), role: 'member' });

    expect((await site('intranet')).status).toBe(400); // a hostname without a dot
    expect((await site('http://münchen.example/path')).status).toBe(201);
    expect((await site('localhost')).status).toBe(201);
    expect(await site('one.too.many.example')).toMatchObject({
      status: 409,
      body: { type: '/problems/limit-exceeded', allowed: 2, used: 2, requested: 1 },
    });
    expect((await addMember()).status).toBe(201);
    expect((await addMember()).body).toMatchObject({ type: '/problems/limit-exceeded', allowed: 5, used: 5 });

    await page.goto(`/org/${id}/overview`);
    await eventually(async () => expect(await limitOf(page, 'Users')).toBe('5 of 5'));
    expect(await limitOf(page, 'Content sections')).toBe('2 of 2');
    const document = await call(page, 'GET', here);
    expect(document.body.sites).toMatchObject([{ hostname: 'xn--mnchen-3ya.example', unicode: 'münchen.example' }, {}]);
  });

  it('A limit of 0 or none means unlimited', async () => {
    const none = await overviewOf(plan('first', 'essential'), member());
    expect(await limitOf(none, 'Users')).toBe('1, no limit');
    const zero = await overviewOf(
      plan('second', 'enterprise'),
      { type: 'ConfigureLimits', data: { users: 0 } },
      member(),
    );
    expect(await limitOf(zero, 'Users')).toBe('1, no limit');
  });

  it('The effective limit is the lower of the configured limit and the plan’s hard limit', async () => {
    const page = await overviewOf(plan('second', 'solo'), bought('additionalUser', 3));
    expect(await limitOf(page, 'Users')).toBe('0 of 2');
    await expectSeen(page, '1 from Pulse Solo + 3 from User = 4; hard limit 2; so 2');
  });

  it('The effective limit ignores hard limits if the organization’s override flag is set', async () => {
    const page = await overviewOf(plan('second', 'solo'), bought('additionalUser', 3), {
      type: 'OverrideHardLimits',
      data: { reason: 'a favour' },
    });
    expect(await limitOf(page, 'Users')).toBe('0 of 4');
    await expectSeen(
      page,
      '1 from Pulse Solo + 3 from User = 4; the hard limit 2 is ignored since event 3: \u2068a favour\u2069',
    );
  });

  it('A downgrade below the current use removes nothing, and the page shows by how much the use exceeds the limit', async () => {
    const page = await overviewOf(plan('second', 'teams'), member(), member(), member(), plan('second', 'solo'));
    expect(await limitOf(page, 'Users')).toBe('3 of 1: over by 2. Nothing was removed; no more can be added.');
  });
});
