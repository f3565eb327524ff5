import type { Page } from 'playwright-core';
import type { Answer, Called } from '../../support/pages/built-pages';
import { onPath } from './organization-state';
import { inConsole, inFinnish, type PageState } from './page-state';
import { fault, NORTHWIND, people, rightsOf, sampleDocument, sampleEntitlements } from './samples';
import { eventPage } from './samples/history';
import { sampleExport } from './samples/proof';

type Reply = (called: Called) => Answer | undefined;

const unanswered: Answer = { status: 204, delayMs: 60_000 };
/** The answer of a busy service, which asks the page to wait for an hour. */
const waitAnHour: Answer = { status: 503, body: { type: '/problems/busy' }, headers: { 'retry-after': '3600' } };
/** The answer if another person has changed the organization first. */
const stale: Answer = { status: 412, body: { type: '/problems/stale', revision: 1284 } };
/** An answer that begins with this text and never ends. */
const begun = (text: string): Answer => ({
  ...{ status: 200, begun: text },
  headers: { 'Content-Type': 'application/x-ndjson' },
});
const asMember = onPath('/standing', {
  status: 200,
  body: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] },
});
const both =
  (one: Reply, other: Reply): Reply =>
  (called) =>
    one(called) ?? other(called);
const asOwner = onPath('/standing', { status: 200, body: rightsOf.owner });
const asOperator = onPath('/standing', { status: 200, body: rightsOf.operator });
const document = (fields: object) => onPath(`/${NORTHWIND}`, { status: 200, body: { ...sampleDocument, ...fields } });
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

const founding: Reply = both(
  onPath('/entitlements', { status: 200, body: { ...sampleEntitlements, revision: 0 } }),
  onPath('/events', { status: 200, body: eventPage(NORTHWIND, new URLSearchParams('from=0&to=0')) }),
);

/** Simulates a lost network for the page. The browser itself stays online, because later tests use the same window. */
const goOffline = (page: Page) =>
  page.evaluate(
    "Object.defineProperty(navigator, 'onLine', { get: () => false }); dispatchEvent(new Event('offline'))",
  );

/** Chooses a file. The page reads only the first part of the file, because the second read never ends. */
const choosesSlowFile = async (page: Page) => {
  await page.evaluate(`(() => {
    const { arrayBuffer } = Blob.prototype;
    let read = 0;
    Blob.prototype.arrayBuffer = function () { return read++ > 0 ? new Promise(() => {}) : arrayBuffer.call(this); };
  })()`);
  await page
    .getByLabel('Exported file')
    .setInputFiles({ name: 'northwind.ndjson', mimeType: 'text/plain', buffer: Buffer.from(await sampleExport()) });
};

type Row = Readonly<{ name: string; at: string; seen: string; finnish?: string; but?: Reply; act?: PageState['act'] }>;
const rows: readonly Row[] = [
  {
    name: 'overview-member',
    at: 'overview',
    but: asMember,
    seen: 'checks every 15 s',
    finnish: 'tarkistaa 15 s välein',
  },
  {
    name: 'members-member',
    at: 'members',
    but: asMember,
    seen: 'You can only read this page. To change it, ask Ada Jansen.',
    finnish: 'Voit vain lukea tätä sivua. Pyydä muutosta henkilöltä Ada Jansen.',
  },
  {
    name: 'members-empty',
    at: 'members',
    but: both(
      document({ members: [] }),
      onPath('/members', { status: 200, body: { members: [], next: null, inAll: 0 } }),
    ),
    seen: 'No members at this moment.',
    finnish: 'Ei jäseniä tällä hetkellä.',
  },
  {
    name: 'members-loading',
    at: 'members',
    but: onPath('/members', unanswered),
    seen: 'Loading: List of members',
    finnish: 'Ladataan: Jäsenlista',
  },
  {
    name: 'sites-empty',
    at: 'sites',
    but: both(document({ sites: [] }), onPath('/sites', { status: 200, body: { sites: [], next: null, inAll: 0 } })),
    seen: 'No sites yet.',
    finnish: 'Ei vielä sivustoja.',
  },
  {
    name: 'sites-failed',
    at: 'sites',
    but: onPath('/sites', fault),
    seen: 'The order of the sites is unavailable right now. Try again',
    finnish: 'Sivustojen järjestystä ei saada juuri nyt. Yritä uudelleen',
  },
  {
    name: 'sites-loading',
    at: 'sites',
    but: onPath('/sites', unanswered),
    seen: 'Loading: Sites',
    finnish: 'Ladataan: Sivustot',
  },
  {
    name: 'domains-empty',
    at: 'domains',
    but: document({ webAnalytics: { domains: [] } }),
    seen: 'No domains yet.',
    finnish: 'Ei vielä verkkotunnuksia.',
  },
  {
    name: 'domains-loading',
    at: 'domains',
    but: onPath(`/${NORTHWIND}`, unanswered),
    seen: 'Loading: Quality assurance domains',
  },
  { name: 'history-of-one-event', at: 'history', but: founding, seen: 'OrganizationFounded' },
  {
    name: 'history-loading',
    at: 'history',
    but: onPath('/events', unanswered),
    seen: 'Loading',
    finnish: 'Ladataan',
  },
  {
    name: 'compare-loading',
    at: 'compare?from=1190&to=1283',
    but: onPath('/diff', unanswered),
    seen: 'Loading: Compare',
    finnish: 'Ladataan: Vertailu',
  },
  {
    name: 'compare-failed',
    at: 'compare?from=1190&to=1283',
    but: onPath('/diff', fault),
    seen: 'Compare: unavailable right now.',
    finnish: 'Vertailu: ei juuri nyt saatavilla.',
  },
  {
    name: 'proof-running-server',
    at: 'proof',
    but: onPath('/verify', begun('{"done":400,"total":1284}\n')),
    act: async (page) => {
      await press('Verify on the server')(page);
      await page.getByText(/^400 of 1,284 events/).waitFor();
    },
    seen: 'Stop',
    finnish: 'Pysäytä',
  },
  {
    name: 'proof-running-browser',
    at: 'proof',
    but: onPath('/export', begun('')),
    act: press('Verify in this browser'),
    seen: 'Stop',
    finnish: 'Pysäytä',
  },
  {
    name: 'overview-offline',
    at: 'overview',
    act: goOffline,
    seen: 'You are offline. This page shows the last update.',
    finnish: 'Verkkoyhteyttä ei ole. Näet tilanteen sellaisena kuin se oli viimeksi päivitettäessä.',
  },
  {
    name: 'members-change-unknown',
    at: 'members',
    but: both(asOwner, ({ method }) => (method === 'PATCH' ? waitAnHour : undefined)),
    act: async (page) => {
      await press('Change Ben Okafor')(page);
      await page.getByRole('menuitemcheckbox').click();
    },
    seen: 'We do not know whether it happened. The page asks the service again.',
  },
  {
    name: 'members-change-overtaken',
    at: 'members',
    but: both(asOwner, ({ method }) => (method === 'PATCH' ? stale : undefined)),
    act: async (page) => {
      await press('Change Ben Okafor')(page);
      await page.getByRole('menuitemcheckbox').click();
    },
    seen: 'Nothing was changed, because other changes came first. The page now shows the newest state. Look at it, and try again.',
  },
  {
    name: 'settings-product-off',
    at: 'settings',
    but: asOperator,
    act: async (page) => {
      const product = page.locator('select:has(option[value=off])');
      await product.selectOption('off');
      await product.locator('xpath=ancestor::form').getByRole('button').click();
    },
    seen: 'All features turn off for all members. Members, sites and plans stay. You can switch the product on again.',
  },
  {
    name: 'settings-close',
    at: 'settings',
    but: asOperator,
    act: press('Close the organization…'),
    seen: 'All features turn off. Members can still read the pages, but change nothing. An operator can reopen the organization.',
  },
  {
    name: 'overview-region-waits',
    at: 'overview',
    but: onPath('/entitlements', waitAnHour),
    seen: 'The service has asked this page to wait. The page asks again in 60 minutes.',
  },
];

const lagging = {
  name: 'console-chooser-lag',
  path: '/',
  wish: inConsole(people.operator, ({ path }) =>
    path.startsWith('/api/v1/organizations?')
      ? {
          status: 200,
          body: { organizations: [{ id: NORTHWIND, name: 'Northwind GmbH', plans: sampleDocument.plans }], next: null },
          headers: { 'Charter-Lag': '75' },
        }
      : undefined,
  ),
  seen: 'This list is 75 s behind. Later changes to organizations are missing.',
};

/** These states share most elements with a state in `page-states.ts`, so only `page-states.nightly.ts` opens them. */
export const furtherStates: readonly PageState[] = [
  ...rows.flatMap(({ name, at, seen, finnish, but, act }) => {
    const state: PageState = {
      ...{ name: `console-${name}`, path: `/org/${NORTHWIND}/${at}`, seen, wish: inConsole(people.ada, but) },
      ...(act && { act }),
    };
    return finnish === undefined ? [state] : [state, inFinnish(state, finnish)];
  }),
  ...[lagging, inFinnish(lagging, 'Tämä luettelo on 75 s jäljessä. Organisaatioiden myöhemmät muutokset puuttuvat.')],
  { name: 'verify-running', path: '/verify', act: choosesSlowFile, seen: 'Stop' },
];
