import type { Page } from 'playwright-core';
import type { Called, PagesWish } from '../../support/pages/built-pages';
import { fields, logIn } from '../browser/page-actions';
import { barStates } from './bar-states';
import { draftStates } from './draft-states';
import { historyStates } from './history-states';
import { liveStates } from './live-states';
import { organizationStates } from './organization-states';
import { inConsole, opensAccountMenu, type PageState } from './page-state';
import { proofStates } from './proof-states';
import { fault, NORTHWIND, people } from './samples';

const never = { status: 204, delayMs: 60_000 };
const signIn = (status: number, headers = {}): PagesWish => ({ answer: () => ({ status, headers }) });
const reset = (body: object): PagesWish => ({ answer: () => ({ status: 400, body }) });
const invited = {
  organization: { id: NORTHWIND, name: 'Northwind' },
  inviter: 'Ada Lovelace',
  email: 'bo@northwind.example',
  name: null,
};
/** A service in which `POST /invitation` gets this answer. */
const invitation = (body: object, status = 200): PagesWish => ({
  answer: ({ path }) => (path === '/invitation' ? { status, body } : { status: 204 }),
});
const setPassword = async (page: Page, password: string) => {
  await fields(page).newPassword.fill(password);
  await fields(page).save.click();
};
const sendLink = async (page: Page) => {
  await fields(page).email.fill('ada@northwind.example');
  await fields(page).send.click();
};

const onPath = (end: string, answer: typeof fault | typeof never) => (called: Called) =>
  called.path.endsWith(end) ? answer : undefined;
const overview = `/org/${NORTHWIND}/overview`;

export const pageStates: readonly PageState[] = [
  { name: 'login', path: '/', seen: 'enter your details to log in!' },
  { name: 'login-demo', path: '/', wish: { facts: { demo: 'on' } }, seen: 'Mails of this demo' },
  { name: 'login-error-google', path: '/login?error=google', seen: 'Google sign-in failed.' },
  { name: 'login-error-sso', path: '/login?error=sso', seen: 'Single sign-on (SSO) failed.' },
  {
    name: 'login-error-account',
    path: '/login?error=account',
    seen: "You don't seem to have access to any organization.",
  },
  {
    name: 'login-error-limit',
    path: '/login?error=account&reason=limit-exceeded',
    seen: 'Your organization has no free seat. Ask an owner of the organization for a seat.',
  },
  {
    name: 'login-sso-without-address',
    path: '/',
    act: (page) => fields(page).sso.click(),
    seen: 'Enter your e-mail address first.',
  },
  { name: 'login-migrated', path: '/?from_rns', seen: 'Please log in!' },
  {
    name: 'login-processing',
    path: '/',
    wish: { answer: () => never },
    act: (page) => logIn(page, 'ada', 'x'),
    seen: 'Log in',
  },
  {
    name: 'login-failed',
    path: '/',
    wish: signIn(401),
    act: (page) => logIn(page, 'ada', 'x'),
    seen: 'Incorrect username or password.',
  },
  {
    name: 'login-too-many',
    path: '/',
    wish: signIn(429, { 'Retry-After': '900' }),
    act: (page) => logIn(page, 'ada', 'x'),
    seen: 'Incorrect username or password.',
  },
  {
    name: 'login-unavailable',
    path: '/',
    wish: signIn(503),
    act: (page) => logIn(page, 'ada', 'x'),
    seen: 'Pulse cannot answer at the moment. Try again in a few minutes.',
  },
  {
    name: 'login-finnish',
    path: '/?from_rns',
    act: (page) => page.selectOption('#language', 'fi'),
    seen: 'Kirjaudu Google-tilillä',
  },
  { name: 'forgot', path: '/forgot', seen: 'Send' },
  {
    name: 'forgot-processing',
    path: '/forgot',
    wish: { answer: () => never },
    act: sendLink,
    seen: 'Send',
  },
  { name: 'forgot-sent', path: '/forgot', act: sendLink, seen: 'Password reset link has been sent to your email.' },
  { name: 'reset', path: '/reset/a-token', seen: 'Set a new password' },
  {
    name: 'reset-too-short',
    path: '/reset/a-token',
    act: (page) => setPassword(page, 'short'),
    seen: 'This password is too short. Use 12 characters or more.',
  },
  {
    name: 'reset-common',
    path: '/reset/a-token',
    wish: reset({ type: '/problems/password-refused', because: 'common' }),
    act: (page) => setPassword(page, 'password1234'),
    seen: 'This password is one of the most common. Choose another one.',
  },
  {
    name: 'reset-link-invalid',
    path: '/reset/a-token',
    wish: reset({ type: '/problems/reset-link-invalid' }),
    act: (page) => setPassword(page, 'correct horse battery'),
    seen: 'This link no longer works',
  },
  {
    name: 'reset-saved',
    path: '/reset/a-token',
    act: (page) => setPassword(page, 'correct horse battery'),
    seen: 'Your password has been changed. Log in with the new one.',
  },
  {
    name: 'invitation',
    path: '/invitation/a-token',
    wish: invitation(invited),
    seen: 'Ada Lovelace has invited you to Northwind.',
  },
  {
    name: 'invitation-long-names',
    path: '/invitation/a-token',
    wish: invitation({
      ...invited,
      organization: {
        id: NORTHWIND,
        name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
      },
      inviter: 'Wolfeschlegelsteinhausenbergerdorff-Rhabarberbarbara von und zu der Tannenberghausen',
      name: 'Bo Diddley',
    }),
    seen: 'Save password and log in',
  },
  {
    name: 'invitation-too-short',
    path: '/invitation/a-token',
    wish: invitation({ organization: null, inviter: null, name: 'Bo Diddley' }),
    act: async (page) => {
      await fields(page).newPassword.fill('short');
      await fields(page).saveAndLogIn.click();
    },
    seen: 'This password is too short. Use 12 characters or more.',
  },
  {
    name: 'invitation-finnish',
    path: '/invitation/a-token',
    wish: invitation(invited),
    act: (page) => page.selectOption('#language', 'fi'),
    seen: 'Ada Lovelace on kutsunut sinut organisaatioon Northwind.',
  },
  {
    name: 'invitation-invalid',
    path: '/invitation/a-token',
    wish: invitation({ type: '/problems/reset-link-invalid' }, 400),
    seen: 'This invitation no longer works',
  },
  { name: 'invitation-without-link', path: '/invitation', seen: 'Open the link again' },
  { name: 'confirm', path: '/email/confirm/a-token', seen: 'Confirm address' },
  { name: 'console-overview', path: overview, wish: inConsole(people.ada), seen: 'Traffic, November 2026' },
  {
    name: 'console-overview-added-by-id',
    path: overview,
    wish: inConsole(people.added),
    seen: 'You were added to this organization. The other members do not see your name yet.',
  },
  {
    name: 'console-overview-reasons',
    path: overview,
    wish: inConsole(people.ada),
    act: async (page) => {
      await page.locator('main summary').first().click();
      await page.locator('main table summary').first().click();
      await opensAccountMenu(page);
    },
    seen: 'Log out',
  },
  {
    name: 'console-account-menu',
    path: overview,
    wish: inConsole(people.ada),
    act: opensAccountMenu,
    seen: 'Dates and times',
  },
  {
    name: 'console-account-menu-finnish',
    path: overview,
    wish: inConsole(people.ada),
    act: async (page) => {
      await opensAccountMenu(page);
      await page.getByRole('menuitemradio', { name: 'Suomi' }).click();
    },
    seen: 'Järjestelmän mukaan',
  },
  {
    name: 'console-overview-loading',
    path: overview,
    wish: inConsole(people.ada, onPath('', never)),
    act: (page) => page.waitForTimeout(600),
    seen: 'Loading: Limits',
  },
  {
    name: 'console-overview-partial-failure',
    path: overview,
    wish: inConsole(people.ada, onPath('/entitlements', fault)),
    seen: 'Limits: unavailable right now.',
  },
  {
    name: 'console-overview-whole-failure',
    path: overview,
    wish: inConsole(people.ada, onPath('', fault)),
    seen: "We can't load this page.",
  },
  {
    name: 'console-overview-missing',
    path: '/org/00000000-0000-4000-8000-000000000000/overview',
    wish: inConsole(people.ada),
    seen: 'There is no organization here, or you have no access to it.',
  },
  {
    name: 'console-overview-past',
    path: `${overview}?asOf=1191`,
    wish: inConsole(people.ada),
    seen: 'Back to now',
  },
  {
    name: 'console-overview-past-open',
    path: `${overview}?asOf=1191`,
    wish: inConsole(people.ada),
    act: (page) => page.getByRole('button', { name: 'Look back' }).click(),
    seen: 'Show as table',
  },
  ...barStates,
  ...liveStates,
  {
    name: 'console-find',
    path: overview,
    wish: inConsole(people.operator),
    act: (page) => page.getByRole('button', { name: 'Find or do' }).click(),
    seen: '12 results',
  },
  {
    name: 'console-requests',
    path: overview,
    wish: inConsole(people.ada),
    act: (page) => page.getByRole('button', { name: 'Requests' }).click(),
    seen: 'The console uses the public interface only. To repeat a request elsewhere, put an API key into CHARTER_KEY.',
  },
  {
    name: 'console-overview-no-such-moment',
    path: `${overview}?asOf=2026-02-30T00:00:00Z`,
    wish: inConsole(people.ada),
    seen: 'Nothing to see at this moment',
  },
  ...organizationStates,
  ...draftStates,
  ...historyStates,
  ...proofStates,
  { name: 'console-chooser', path: '/', wish: inConsole(people.several), seen: 'Filter by name' },
  { name: 'console-chooser-all', path: '/', wish: inConsole(people.operator), seen: 'Search by name' },
  {
    name: 'console-chooser-none',
    path: '/',
    wish: inConsole(people.nora),
    seen: "You don't seem to have access to any organization.",
  },
  { name: 'console-account', path: '/me', wish: inConsole(people.ada), seen: 'Safari on iPhone' },
  {
    name: 'console-account-end-others',
    path: '/me',
    wish: inConsole(people.ada),
    act: (page) => page.getByRole('button', { name: 'End all other sessions' }).click(),
    seen: 'Cancel',
  },
];
