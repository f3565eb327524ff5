import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { answersTo } from '../openfeature/flag-page';
import { openBrowser } from '../support/pages/browser';
import { done, path } from '../support/requests/organizations';
import { keyId, type Served, serving, settled, until } from '../support/serving';
import { organizationOnSolo } from './charter-client';
import { buildPage, expectTypes, type PackedClient, packedClient } from './packed-client';

/** The program of a page: shows whether the organization has the feature, and the state of the values. */
const program = `
import { createCharter } from '@charter/client';
const [url, id] = new URLSearchParams(location.search).getAll('of');
const ticket = (organization) => fetch('/ticket/' + organization).then((answer) => answer.json());
const acme = createCharter({ url, ticket }).organization(id);
const show = () => (document.body.textContent = acme.can('feedback', false) + ' ' + acme.freshness.state);
acme.subscribe(show);
show();
`;

let packed: PackedClient;
let served: Served;
let browser: Browser;
let backend: Server;
let origin: string;
let operator: string;
let key: string;
beforeAll(async () => {
  packed = await packedClient();
  await buildPage(packed, program);
  backend = createServer(({ url = '' }, response) => {
    if (url.startsWith('/ticket/')) void sendTicket(url.slice('/ticket/'.length)).then((text) => response.end(text));
    else if (url.startsWith('/assets/')) {
      response.setHeader('Content-Type', 'text/javascript');
      response.end(readFileSync(join(packed.folder, 'dist', url)));
    } else response.setHeader('Content-Type', 'text/html').end(readFileSync(join(packed.folder, 'dist/index.html')));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  [served, browser] = await Promise.all([serving({ environment: { FLAGS_ORIGINS: origin } }), openBrowser(true)]);
  operator = await served.key();
  key = await served.key({ scopes: ['flags:read'] });
}, 300_000);
afterAll(async () => {
  await browser.close();
  backend.closeAllConnections();
  await new Promise((resolve) => backend.close(resolve));
  await served.close();
  packed.remove();
});

/** The answer of the page's backend: a ticket from Charter, or a text that is not JSON. */
async function sendTicket(id: string): Promise<string> {
  const { status, text } = await served.ask('POST', path(id, '/flag-tickets'), { key, body: { targetingKey: id } });
  return status === 201 ? text : 'The backend has no ticket.';
}

const shows = (page: Page, text: string, within = 10_000) =>
  page.waitForFunction(`document.body.textContent === '${text}'`, undefined, { timeout: within });

it('SD8: A strict program that uses the package compiles with the TypeScript of this project, and wrong names are errors', async () => {
  await expectTypes(packed, process.execPath, join(__dirname, '../../node_modules/typescript/bin/tsc'));
}, 240_000);

it('SD8: A page that Vite has built shares one stream between its tabs, also after a tab closes, and drops its values when the key is revoked', async () => {
  const id = await organizationOnSolo(served, operator);
  await settled(served);
  const context = await browser.newContext();
  const answers = answersTo(context);
  const streams = () => answers.filter((answer) => answer === 'stream 200').length;
  const opened = async () => {
    const page = await context.newPage();
    await page.goto(`${origin}/?of=${served.url}&of=${id}`);
    await shows(page, 'true fresh');
    return page;
  };
  const [leader, other] = [await opened(), await opened()];
  expect(streams()).toBe(1);
  await done(served, operator, id, ['DELETE', '/plan/second']);
  await Promise.all([leader, other].map((page) => shows(page, 'false fresh')));

  await leader.close();
  await until(() => streams() === 2, 15_000);
  await done(served, operator, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
  await shows(other, 'true fresh');
  const third = await opened();
  expect(streams()).toBe(2);

  await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
  await Promise.all([other, third].map((page) => shows(page, 'false fatal', 30_000)));
  expect(streams()).toBe(2);
  await context.close();
}, 90_000);
