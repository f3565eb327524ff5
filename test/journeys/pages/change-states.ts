import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { onPath, type OrganizationStateRow } from './organization-state';
import { rightsOf, sampleEntitlements } from './samples';
import { SHOP } from './samples/lists';

type Reply = (called: Called) => Answer | undefined;

/** Tries these replies in order, and returns the first answer. */
const firstOf =
  (...replies: readonly Reply[]): Reply =>
  (called) => {
    for (const reply of replies) {
      const answer = reply(called);
      if (answer) return answer;
    }
    return undefined;
  };
const asOwner = onPath('/standing', { status: 200, body: rightsOf.owner });
const asOperator = onPath('/standing', { status: 200, body: rightsOf.operator });
const { users } = sampleEntitlements.limits;
const full = onPath('/entitlements', {
  status: 200,
  body: {
    ...sampleEntitlements,
    limits: { ...sampleEntitlements.limits, users: { ...users, used: 8, remaining: 0 } },
  },
});
const refusing =
  (reason: string): Reply =>
  ({ method }) =>
    method === 'DELETE' || method === 'PATCH' ? { status: 409, body: { type: `/problems/${reason}` } } : undefined;

const stored = { hostname: 'xn--mnchen-3ya.example', unicode: 'münchen.example' };

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const invite = press('Invite…');
const chooses = (row: string, item: string) => async (page: Page) => {
  await press(`Change ${row}`)(page);
  await page.getByRole('menuitem', { name: item }).click();
};

const previewed = onPath('/preview', {
  status: 200,
  body: {
    ...{ revision: 1283, events: [], may: [], features: { gained: [], lost: [], terms: {} } },
    limits: { webAnalyticsDomains: { after: { used: 3, limit: 1000 } } },
    state: [{ op: 'add', path: '/webAnalytics/domains/d', value: stored }],
  },
});
const typesHostname = async (page: Page) => {
  await press('Add a domain…')(page);
  await page.getByLabel('Hostname').fill('münchen.example');
};

/** The states in which a person changes the organization. */
export const changeStates: readonly OrganizationStateRow[] = [
  { at: 'members', is: 'with-rights', but: asOwner, seen: 'Invite…', finnish: 'Kutsu…' },
  { at: 'members', is: 'invite', but: asOwner, act: invite, seen: 'Then 8 of 8 users.' },
  {
    at: 'members',
    is: 'full',
    but: firstOf(asOwner, full),
    act: invite,
    seen: '8 of 8 users are taken. No more can join.',
  },
  { at: 'members', is: 'menu', but: asOwner, act: press('Change carla'), seen: 'Take back…' },
  {
    at: 'members',
    is: 'last-owner',
    but: firstOf(asOwner, refusing('last-owner')),
    act: async (page) => {
      await chooses('Ada Jansen', 'Leave…')(page);
      await page.getByRole('button', { name: 'Leave', exact: true }).click();
    },
    seen: 'This person is the last owner.',
  },
  { at: 'sites', is: 'with-rights', but: asOwner, seen: 'Add a site…', finnish: 'Lisää sivusto…' },
  { at: `sites/${SHOP}`, is: 'one-with-rights', but: asOwner, seen: 'Save switches', finnish: 'Tallenna kytkimet' },
  {
    at: 'domains',
    is: 'add',
    but: firstOf(asOwner, previewed),
    act: typesHostname,
    seen: 'Then 3 of 1,000.',
  },
  {
    at: 'settings',
    is: 'with-controls',
    but: asOperator,
    seen: 'Close the organization…',
    finnish: 'Sulje organisaatio…',
  },
];
