import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { onPath, type OrganizationStateRow } from './organization-state';
import { rightsOf, sampleEntitlements } from './samples';

type Reply = (called: Called) => Answer | undefined;

/** The first answer that one of these replies gives. */
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

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const invite = press('Invite…');
const chooses = (row: string, item: string) => async (page: Page) => {
  await press(`Change ${row}`)(page);
  await page.getByRole('menuitem', { name: item }).click();
};

/** The states in which a person changes the members. */
export const memberChangeStates: readonly OrganizationStateRow[] = [
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
      await chooses('Ada Jansen', 'Remove…')(page);
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
    },
    seen: 'This person is the last owner.',
  },
];
