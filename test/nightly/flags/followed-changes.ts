import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { answersTo, recordChanges, type SeenAnswer, textChanges } from '../../openfeature/flag-page';
import { path } from '../../support/requests/organizations';
import { type Served, until } from '../../support/serving';

/** A program with OpenFeature's own packages. The page shows the limit of users, and follows its changes. */
export const limitProgram = (url: string, key: string, id: string) => `
  import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
  import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';

  const provider = new OFREPWebProvider({ baseUrl: '${url}', headers: [['X-API-Key', '${key}']] });
  await OpenFeature.setProviderAndWait(provider, { targetingKey: '${id}' });
  const client = OpenFeature.getClient();
  const show = () => (document.body.textContent = client.getNumberValue('limit.users', -1));
  client.addHandler(ProviderEvents.ConfigurationChanged, show);
  show();`;

/** A page that follows flags, and Charter's answers to its requests. */
export type FollowingPage = Readonly<{ page: Page; answers: SeenAnswer[] }>;

/** Opens the page of a site in this browser, and waits until the page follows its flags. */
export async function openFollowingPage(context: BrowserContext, origin: string): Promise<FollowingPage> {
  await context.addInitScript(recordChanges);
  const answers = answersTo(context);
  const page = await context.newPage();
  await page.goto(origin);
  await until(() => answers.includes('stream 200'), 20_000);
  return { page, answers };
}

/** The longest pause between two changes, in milliseconds: longer than the time in which Charter combines notices. */
const PAUSE_MAX_MS = 200;

/**
 * Changes the limit of users many times. Resolves with the milliseconds from each acknowledgement until the page showed
 * the value.
 */
export async function changeDelays(
  { page }: FollowingPage,
  { ask }: Pick<Served, 'ask'>,
  { key, id, changes }: Readonly<{ key: string; id: string; changes: number }>,
): Promise<readonly number[]> {
  const acknowledged = new Map<string, number>();
  for (let users = 1; users <= changes; users += 1) {
    const answer = await ask('PUT', path(id, '/limits'), { key, body: { users } });
    if (answer.status !== 200) throw new Error(answer.text);
    acknowledged.set(`${users}`, Date.now());
    await page.waitForFunction(`document.body.textContent === '${users}'`, undefined, { timeout: 20_000, polling: 10 });
    await pause(Math.random() * PAUSE_MAX_MS);
  }
  const shown = new Map(await textChanges(page));
  return [...acknowledged].map(([value, at]) => Math.max(0, shown.get(value)! - at));
}
