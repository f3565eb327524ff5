import { randomUUID } from 'node:crypto';
import { answerCalls, fields, logIn } from '../browser/page-actions';
import { expectSeen } from '../browser/visible-text';
import { type Visit, staged } from '../browser/stage';
import { violationsOn } from '../browser/violations';
import { expectAccessible, overflow } from './reached-state';

const stage = staged();
const PASSWORD = 'lighthouse marmalade seventeen';
const people = { one: 'one@northwind.example', many: 'many@northwind.example', none: 'none@northwind.example' };
let overview: string;
/** The path of an organization without plan, sites and domains. */
let bakery: string;

beforeAll(async () => {
  const { service } = stage;
  const [one, many] = await Promise.all(
    [people.one, people.many, people.none].map((email) =>
      service.settle({ email, password: PASSWORD, name: 'Ada Lovelace' }),
    ),
  );
  const id = await service.organization({
    name: 'Northwind',
    commands: [
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } },
      { type: 'PurchaseAddOn', data: { purchase: randomUUID(), addOn: 'feedback', quantity: 1 } },
      { type: 'AddMember', data: { member: one!, role: 'owner' } },
      { type: 'AddMember', data: { member: many!, role: 'member' } },
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'shop.northwind.example' } },
      { type: 'AddSite', data: { site: randomUUID(), hostname: 'münchen.northwind.example' } },
    ],
  });
  overview = `/org/${id}/overview`;
  const commands = [{ type: 'AddMember', data: { member: many!, role: 'admin' } }] as const;
  bakery = `/org/${await service.organization({ name: 'Old Mill Bakery', commands })}`;
  await service.organization({ name: 'Harbour Museum', commands });
}, 60_000);

/**
 * Two combinations cover both themes and both widths. `page-states.nightly.ts` checks all states in all four
 * combinations.
 */
const looks = [
  { colorScheme: 'light', width: 1280, rules: 'everything' },
  { colorScheme: 'dark', width: 320, rules: 'everything' },
] as const;

async function signedIn(email: string): Promise<Visit> {
  const visit = await stage.visit('/login');
  await logIn(visit.page, email, PASSWORD);
  // the chooser opens the only organization of a person at once
  await visit.page.waitForURL(({ pathname }) => (email === people.one ? pathname === overview : pathname !== '/login'));
  await visit.page.locator('main h1').waitFor();
  await visit.page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
  return visit;
}

const tokenless = 'never-sent-token-that-was-not-made-123456789ab';
/**
 * States of pages that the real service serves. `page-states.nightly.ts` checks every state of every page, without a
 * service.
 */
const states: readonly [state: string, arrive: () => Promise<Visit>][] = [
  ['log in', () => stage.visit('/login')],
  [
    'log in, refused and too often',
    async () => {
      const visit = await stage.visit('/login');
      await answerCalls(visit, '/login', { status: 429, headers: { 'Retry-After': '4000' } });
      await logIn(visit.page, 'ada', 'wrong');
      await expectSeen(visit.page, 'Incorrect username or password.');
      return visit;
    },
  ],
  [
    'forgot, sent',
    async () => {
      const visit = await stage.visit('/forgot');
      await answerCalls(visit, '/forgot', { status: 204 });
      await fields(visit.page).email.fill('ada@northwind.example');
      await fields(visit.page).send.click();
      await expectSeen(visit.page, 'Password reset link has been sent to your email.');
      return visit;
    },
  ],
  [
    'new password, link no longer works',
    async () => {
      const visit = await stage.visit(`/reset/${tokenless}`);
      visit.mayFail('/reset');
      await fields(visit.page).newPassword.fill('umbrella harvest violin');
      await fields(visit.page).save.click();
      await expectSeen(visit.page, 'This link no longer works');
      return visit;
    },
  ],
  [
    'invitation, no longer works',
    async () => {
      const visit = await stage.visit(`/invitation/${tokenless}`);
      visit.mayFail('/invitation');
      await expectSeen(visit.page, 'This invitation no longer works');
      return visit;
    },
  ],
  ['console: overview', () => signedIn(people.one)],
  ['console: chooser', () => signedIn(people.many)],
  ['console: no organization', () => signedIn(people.none)],
  [
    'console: overview of an organization that does not exist',
    async () => {
      const visit = await signedIn(people.one);
      const id = '7d000000-0000-4000-8000-000000000000';
      for (const rest of ['', '/entitlements', '/standing']) visit.mayFail(`/api/v1/organizations/${id}${rest}`);
      await visit.page.goto(`/org/${id}/overview`);
      await expectSeen(visit.page, 'There is no organization here, or you have no access to it.');
      return visit;
    },
  ],
];

/** Pages of the real service. The person is an administrator of the bakery, and a member of Northwind. */
const rows: readonly { state: string; path: () => string; english: string; finnish: string }[] = [
  {
    state: 'an overview without a plan',
    path: () => `${bakery}/overview`,
    english: 'No plan yet. Without a plan nothing is limited.',
    finnish: 'Ei vielä pakettia. Ilman pakettia mitään ei ole rajattu.',
  },
  {
    state: 'an overview before the founding',
    path: () => `${bakery}/overview?asOf=2000-01-01T00:00:00Z`,
    english: 'Go to the founding',
    finnish: 'Siirry perustamiseen',
  },
  { state: 'no sites', path: () => `${bakery}/sites`, english: 'No sites yet.', finnish: 'Ei vielä sivustoja.' },
  {
    state: 'no domains',
    path: () => `${bakery}/domains`,
    english: 'No domains yet.',
    finnish: 'Ei vielä verkkotunnuksia.',
  },
  {
    state: 'no member with the searched name',
    path: () => `${bakery}/members#q=bne`,
    english: 'No member is called “bne”. Clear filter',
    finnish: 'Yhdenkään jäsenen nimi ei ole ”bne”. Tyhjennä suodatin',
  },
  {
    state: 'a history for a member without the right to read it',
    path: () => overview.replace('overview', 'history'),
    english: 'History is for owners and administrators.',
    finnish: 'Historia on omistajille ja ylläpitäjille.',
  },
];

describe('A page of the real service, in light and dark, at 320 and 1280 px,', () => {
  it.each(rows)('passes axe in English and Finnish: $state', async ({ path, english, finnish }) => {
    const visit = await signedIn(people.many);
    const { page } = visit;
    // at a moment before the founding the service answers 404
    for (const part of ['', '/entitlements'])
      visit.mayFail(`/api/v1${bakery.replace('/org/', '/organizations/')}${part}`);
    for (const [language, seen] of [
      ['en', english],
      ['fi', finnish],
    ] as const) {
      await page.context().addCookies([{ name: 'charter-language', value: language, url: stage.service.url }]);
      await page.goto(path());
      await page.reload(); // a fragment alone loads no page
      await expectSeen(page, seen);
      for (const colorScheme of ['light', 'dark'] as const)
        await expectAccessible(page, [
          { colorScheme, width: 320, rules: 'everything' },
          { colorScheme, width: 1280, rules: 'everything' },
        ]);
    }
  });
});

describe('The accessibility check, in light at 1280 px and in dark at 320 px,', () => {
  it.each(states.map(([state, arrive]) => ({ state, arrive })))(
    '$state: axe finds no violation, and nothing scrolls sideways',
    async ({ arrive }) => {
      const { page } = await arrive();
      await expectAccessible(page, looks);
    },
  );

  it('finds a planted contrast fault on a sign-in page and in the console', async () => {
    for (const { page } of [await stage.visit('/login'), await signedIn(people.one)]) {
      await page.locator('h1').waitFor();
      await page.evaluate('document.querySelector("h1").style.color = "color-mix(in srgb, currentColor 20%, Canvas)"');
      expect((await violationsOn(page)).join()).toContain('color-contrast');
    }
  });

  it('finds a page that scrolls sideways', async () => {
    const { page } = await stage.visit('/login', { width: 320 });
    await page.evaluate('document.querySelector("main").style.minWidth = "400px"');
    expect(await overflow(page)).toBeGreaterThan(0);
  });

  it('finds no violation in the overview when the explanations of all limits are open', async () => {
    const { page } = await signedIn(people.one);
    expect(new URL(page.url()).pathname).toBe(overview);
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    await expectAccessible(page, looks);
  });
});
