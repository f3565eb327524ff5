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
  for (const name of ['Old Mill Bakery', 'Harbour Museum'])
    await service.organization({ name, commands: [{ type: 'AddMember', data: { member: many!, role: 'admin' } }] });
}, 60_000);

/**
 * Two combinations cover both themes and both widths. The nightly spec checks every state of every page in all four
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
  ['console: overview', () => signedIn(people.one)],
  ['console: chooser', () => signedIn(people.many)],
  ['console: no organization', () => signedIn(people.none)],
  [
    'console: overview of an organization that is not there',
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

describe('Accessibility check in light and dark, at 320 and 1280 px,', () => {
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
