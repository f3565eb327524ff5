import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

const root = join(__dirname, '../..');

/** The files of OpenFeature's packages as the registry publishes them. The browser imports them without a bundler. */
const packages: Readonly<Record<string, string>> = {
  '@openfeature/core': 'core/dist/esm/index.js',
  '@openfeature/web-sdk': 'web-sdk/dist/esm/index.js',
  '@openfeature/ofrep-core': 'ofrep-web-provider/node_modules/@openfeature/ofrep-core/index.esm.js',
  '@openfeature/ofrep-web-provider': 'ofrep-web-provider/index.esm.js',
};

/** A site of a customer: its page runs one program, and its backend requests a ticket for the page. */
export type FlagSite = Readonly<{
  origin: string;
  /** The script of the page. */
  program: string;
  ticket: () => Promise<string>;
  close: () => Promise<void>;
}>;

export async function openFlagSite(): Promise<{ -readonly [Name in keyof FlagSite]: FlagSite[Name] }> {
  const imports = Object.fromEntries(Object.keys(packages).map((name) => [name, `/modules/${name}`]));
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    const file = packages[url.replace('/modules/', '')];
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'Content-Type': type }).end(body);
    if (file) send('text/javascript', readFileSync(join(root, 'node_modules/@openfeature', file)));
    else if (url === '/flag-ticket') void site.ticket().then((ticket) => send('text/plain', ticket));
    else if (url === '/') send('text/html', pageOf(imports, site.program));
    else response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    program: '',
    ticket: () => Promise.resolve(''),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

const pageOf = (imports: object, program: string) =>
  `<!doctype html><title>Flags</title><body><script type="importmap">${JSON.stringify({ imports })}</script>` +
  `<script type="module">${program}</script></body>`;

/** An answer of Charter to a page: `bulk 200`, or `stream 401`. */
export type SeenAnswer = `${'bulk' | 'stream'} ${number}`;

/** The answers of Charter to all pages of a context, in their order. */
export function answersTo(context: BrowserContext): SeenAnswer[] {
  const seen: SeenAnswer[] = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/ofrep/') || response.request().method() === 'OPTIONS') return;
    seen.push(`${pathname.endsWith('/event-streams') ? 'stream' : 'bulk'} ${response.status()}`);
  });
  return seen;
}

/** The moments, in milliseconds since 1970, at which the text of the page has changed, with the new texts. */
export const textChanges = (page: Page): Promise<readonly (readonly [text: string, at: number])[]> =>
  page.evaluate('window.changes');

/** Must run in each page before its program: records the changes of the page's text. */
export const recordChanges = `
  window.changes = [];
  new MutationObserver(() => {
    const isShown = document.body && !document.querySelector('script');
    const text = isShown ? document.body.textContent : undefined;
    if (text !== undefined && window.changes.at(-1)?.[0] !== text) window.changes.push([text, Date.now()]);
  }).observe(document, { childList: true, subtree: true, characterData: true });
`;
