import type { Page } from 'playwright-core';
import { servePages } from '../../support/pages/built-pages';
import { eventually } from '../browser/eventually';
import { answerCalls, answerLater, fields, type Reply } from '../browser/page-actions';
import { staged } from '../browser/stage';
import { inConsole } from './page-state';
import { people } from './samples';

const stage = staged(() => servePages(inConsole(people.ada)));
const PASSWORD = 'correct horse battery';
const logsIn = async (page: Page) => {
  await fields(page).username.fill('ada');
  await fields(page).password.fill(PASSWORD);
};
const choosesPassword = (page: Page) => fields(page).newPassword.fill(PASSWORD);

type Form = Readonly<{ path: string; call: string; name: string; fill: (page: Page) => unknown; afterFault: string }>;
const forms: readonly Form[] = [
  { path: '/login', call: '/login', name: 'Log in', fill: logsIn, afterFault: 'password' },
  {
    ...{ path: '/forgot', call: '/forgot', name: 'Send', afterFault: 'H1' },
    fill: (page) => fields(page).email.fill('ada@northwind.example'),
  },
  { path: '/reset/a', call: '/reset', name: 'Save password', fill: choosesPassword, afterFault: 'new-password' },
  {
    ...{ path: '/invitation/a', call: '/reset', name: 'Save password and log in', afterFault: 'new-password' },
    fill: choosesPassword,
  },
  {
    ...{ path: '/email/confirm/a', call: '/email/confirm', name: 'Confirm address', afterFault: 'Confirm address' },
    fill: () => undefined,
  },
  {
    ...{ path: '/me', call: '/api/v1/me/password', name: 'Change password', afterFault: 'current-password' },
    fill: async (page) => {
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByLabel('New password').fill('staple of the horse');
    },
  },
];
const focused = (page: Page) =>
  page.evaluate<string>(`(({ id, tagName, textContent }) => id || (tagName === 'BUTTON' ? textContent : tagName))(
    document.activeElement)`);

describe('The button of a form', () => {
  it.each(forms.flatMap((form) => ['Enter', 'Space'].map((key) => [form.path, key, form] as const)))(
    'keeps the focus while its request runs, and sends no second request: %s, %s',
    async (path, key, { call, name, fill, afterFault }) => {
      const visit = await stage.visit(path);
      const { page } = visit;
      const reply = answerLater<Reply>();
      const sent = await answerCalls(visit, call, reply.value);
      await fill(page);
      const button = page.getByRole('button', { name, exact: true });
      await eventually(async () => expect(await button.isEnabled()).toBe(true));
      await button.press(key);
      await page.locator('button[aria-busy=true]').waitFor();
      for (const again of [key, 'Enter', 'Space']) await page.keyboard.press(again);
      expect(await focused(page)).toBe(name);
      reply.settle({ status: 500 });
      await eventually(async () => expect(await focused(page)).toBe(afterFault));
      expect(sent).toHaveLength(1);
    },
  );
});
