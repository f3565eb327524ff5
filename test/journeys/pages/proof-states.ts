import type { Page } from 'playwright-core';
import type { Answer, PagesWish } from '../../support/pages/built-pages';
import { expectSeen } from '../browser/visible-text';
import { alsoInFinnish, inConsole, type PageState } from './page-state';
import { alteredExport, cutExport, hostileExport, sampleExport, sampleKey, sampleVerdict } from './samples/proof';
import { fault, NORTHWIND, people } from './samples';

const proof = `/org/${NORTHWIND}/proof`;
const readers = `/org/${NORTHWIND}/readers`;
const A_DAY = '?from=2026-11-01T00%3A00%3A00.000Z&to=2026-11-01T23%3A59%3A59.999Z';
/** The answer of a busy service, which asks the page to wait for an hour. */
const waitAnHour: Answer = { status: 503, body: { type: '/problems/busy' }, headers: { 'retry-after': '3600' } };
const verifying = (verdict: object): PagesWish =>
  inConsole(people.ada, ({ path }) =>
    path.endsWith('/verify') ? { status: 200, lines: [{ done: 1000, total: 1284 }, verdict] } : undefined,
  );
const verifyOnServer = (page: Page) => page.getByRole('button', { name: 'Verify on the server' }).first().click();
const verifyInBrowser = async (page: Page, text: Promise<string>, published = sampleKey) => {
  const body = await text;
  await page.route('**/export', (route) => route.fulfill({ body, contentType: 'application/x-ndjson' }));
  await page.route('**/charter-checkpoint-key', (route) => route.fulfill({ body: published }));
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
};
const chooseFile = async (page: Page, text: Promise<string>) =>
  page
    .getByLabel('Exported file')
    .setInputFiles({ name: 'northwind.ndjson', mimeType: 'text/plain', buffer: Buffer.from(await text) });

const UNTIL_NOW = 'The proof covers every event until now, and not only those of the moment that you look at.';

const states: readonly PageState[] = [
  { name: 'console-proof', path: proof, wish: inConsole(people.ada), seen: 'Verify in this browser' },
  {
    name: 'console-proof-server',
    path: proof,
    wish: verifying(sampleVerdict),
    act: verifyOnServer,
    seen: 'Equal up to #1,283.',
  },
  {
    name: 'console-proof-broken',
    path: proof,
    wish: verifying({ ok: false, at: 1191, reason: 'its hash does not match its content' }),
    act: verifyOnServer,
    seen: 'The chain is broken at #1,191: its hash does not match its content.',
  },
  {
    name: 'console-proof-not-signed',
    path: proof,
    wish: verifying({
      ...sampleVerdict,
      signed: null,
      readModel: { ok: false, reason: 'the list of members differs' },
    }),
    act: verifyOnServer,
    seen: 'Not signed yet. The first checkpoint comes within 1 hour.',
  },
  {
    name: 'console-proof-unavailable',
    path: proof,
    wish: inConsole(people.ada, ({ path }) => (path.endsWith('/verify') ? fault : undefined)),
    act: verifyOnServer,
    seen: 'Chain of events: unavailable right now.',
  },
  {
    name: 'console-proof-browser',
    path: proof,
    wish: inConsole(people.ada),
    act: (page) => verifyInBrowser(page, sampleExport()),
    seen: '1,284 events, each unchanged, and signed as a whole.',
  },
  {
    name: 'console-proof-browser-not-trusted',
    path: proof,
    wish: inConsole(people.ada),
    act: (page) => verifyInBrowser(page, sampleExport(), ''),
    seen: 'Not yet trusted: this page does not know the key that signed the file.',
  },
  {
    name: 'console-proof-browser-altered',
    path: proof,
    wish: inConsole(people.ada),
    act: (page) => verifyInBrowser(page, alteredExport()),
    seen: 'Line 1,192, revision 1,191: its hash does not match its content.',
  },
  {
    name: 'console-proof-browser-server-busy',
    path: proof,
    wish: inConsole(people.ada, ({ path }) => (path.endsWith('/verify') ? waitAnHour : undefined)),
    act: async (page) => {
      await verifyInBrowser(page, sampleExport());
      await expectSeen(page, '1,284 events, each unchanged, and signed as a whole.');
      await verifyOnServer(page);
    },
    seen: 'The service has asked this page to wait. The page asks again in 60 minutes.',
  },
  { name: 'console-proof-past', path: `${proof}?asOf=1191`, wish: inConsole(people.ada), seen: UNTIL_NOW },
  {
    name: 'console-readers',
    path: readers,
    wish: inConsole(people.ada),
    seen: 'followed the feed of all organizations',
  },
  {
    name: 'console-readers-next',
    path: readers,
    wish: inConsole(people.ada),
    act: (page) => page.getByRole('link', { name: 'Next page' }).click(),
    seen: 'First page',
  },
  {
    name: 'console-readers-past',
    path: `${readers}?asOf=1191`,
    wish: inConsole(people.ada),
    seen: 'The list of readers always shows the present.',
  },
  {
    name: 'console-readers-empty',
    path: readers,
    wish: inConsole(people.ada, ({ path }) =>
      path.includes('/readers') ? { status: 200, body: { readers: [], next: null } } : undefined,
    ),
    seen: 'No reads yet.',
  },
  {
    name: 'console-readers-empty-day',
    path: `${readers}${A_DAY}`,
    wish: inConsole(people.ada),
    seen: 'No reads on that day.',
  },
  {
    name: 'console-readers-unavailable',
    path: readers,
    wish: inConsole(people.ada, ({ path }) => (path.includes('/readers') ? fault : undefined)),
    seen: 'Readers: unavailable right now.',
  },
  {
    name: 'console-readers-refused',
    path: readers,
    wish: inConsole(people.ada, ({ path }) =>
      path.endsWith('/standing')
        ? {
            status: 200,
            body: { organization: NORTHWIND, roles: ['admin'], may: [], reads: ['document', 'history'], grants: [] },
          }
        : undefined,
    ),
    seen: 'The list of readers is for owners of the organization, operators and auditors.',
  },
  { name: 'verify', path: '/verify', seen: 'Or drop the file here.' },
  {
    name: 'verify-finnish',
    path: '/verify',
    act: async (page) => {
      await page.context().addCookies([{ name: 'charter-language', value: 'fi', url: page.url() }]);
      await page.reload();
    },
    seen: 'Tai pudota tiedosto tähän.',
  },
  {
    name: 'verify-verified',
    path: '/verify',
    act: (page) => chooseFile(page, sampleExport()),
    seen: '1,284 events form one chain. The key below signed the whole chain.',
  },
  {
    name: 'verify-trusted',
    path: '/verify',
    act: async (page) => {
      await chooseFile(page, sampleExport());
      await page.getByLabel('Public key of the service, from elsewhere').fill(sampleKey);
    },
    seen: '1,284 events, each unchanged, and signed as a whole.',
  },
  {
    name: 'verify-cut',
    path: '/verify',
    act: (page) => chooseFile(page, cutExport()),
    seen: 'This file is incomplete: it ends after line 1,283.',
  },
  {
    name: 'verify-no-export',
    path: '/verify',
    act: (page) => chooseFile(page, Promise.resolve('Dear auditor,\n')),
    seen: 'This file is no export of a history.',
  },
  {
    name: 'verify-hostile',
    path: '/verify',
    act: (page) => chooseFile(page, hostileExport()),
    seen: 'This is not the history that was recorded.',
  },
  {
    name: 'verify-refused',
    path: '/verify',
    act: (page) => chooseFile(page, alteredExport()),
    seen: 'Line 1,192, revision 1,191: its hash does not match its content.',
  },
  {
    name: 'verify-wrong-key',
    path: '/verify',
    act: (page) => page.getByLabel('Public key of the service, from elsewhere').fill('not a key'),
    seen: 'This is not a public key of checkpoints. Such a key looks like charter+1f0a3b5c+AQID…',
  },
];

/** By the name of each state: a Finnish text that the page shows in this state. */
const finnish: Readonly<Record<string, string>> = {
  'console-proof-server': 'Sama kohtaan #1 283 asti.',
  'console-readers': 'seurasi kaikkien organisaatioiden syötettä',
};

/** The states of the pages on which a person verifies a history or sees its readers, some also in Finnish. */
export const proofStates: readonly PageState[] = alsoInFinnish(states, finnish);
