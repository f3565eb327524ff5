import { changeStates } from './change-states';
import { domainStates } from './domain-states';
import type { Answer, Called } from '../../support/pages/built-pages';
import { type OrganizationStateRow, onPath } from './organization-state';
import { inConsole, inFinnish, type PageState } from './page-state';
import { fault, NORTHWIND, people, rightsOf, sampleDocument, sampleEntitlements } from './samples';
import { BEN, SHOP } from './samples/lists';
import { assignSolo, draftOf, ownersPreview, soloPreview } from './samples/previews';

const asMember = onPath('/standing', {
  status: 200,
  body: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] },
});

const asMemberPlan = 'The terms as sold are in the history, which is for owners and administrators.';

const asBuyer = onPath('/standing', {
  status: 200,
  body: {
    ...{ organization: NORTHWIND, roles: ['owner'], may: ['StartCheckout'], reads: ['document', 'names'] },
    grants: [],
  },
});
const withPreview = onPath('/preview', { status: 200, body: soloPreview });
const checkout = (is: string, fields: object, seen: string, finnish?: string): OrganizationStateRow => ({
  ...{ at: 'checkout?session=cs_live_a1&cancelled=true', is, seen, ...(finnish && { finnish }) },
  but: onPath('/checkout/cs_live_a1', {
    status: 200,
    body: {
      ...{ id: 'cs_live_a1', expires: '2026-11-24T10:00:00.000Z', url: null, granted: null },
      ...{ message: null, late: false },
      ...fields,
    },
  }),
});
const checkoutStates: readonly OrganizationStateRow[] = [
  {
    at: 'plan?try=second/solo',
    is: 'buy',
    but: (called) => asBuyer(called) ?? withPreview(called),
    seen: 'You pay on the page of the payment provider. The service makes the change after the payment.',
  },
  checkout('open', { state: 'open', url: 'https://checkout.stripe.com/c/pay/cs_live_a1' }, 'Continue to the payment'),
  checkout(
    'expired',
    { state: 'expired' },
    'The payment page has expired, or the payment has failed. Nothing was bought.',
  ),
  checkout(
    'paid',
    { state: 'paid' },
    'Paid. The message of the payment provider has not arrived yet.',
    'Maksettu. Maksupalvelun viesti ei ole vielä saapunut.',
  ),
  checkout(
    'late',
    { state: 'paid', late: true },
    'Do not pay again. If the service has not granted the purchase by tomorrow, ask an operator of the service.',
    'Älä maksa uudelleen. Jos palvelu ei ole myöntänyt ostosta huomiseen mennessä, kysy palvelun operaattorilta.',
  ),
  checkout('granted', { state: 'granted', granted: { revision: 1_284 } }, '#1,284', 'Takaisin pakettiin'),
  checkout(
    'waiting',
    { state: 'waiting', message: { id: 'm', received: '2026-11-23T10:00:00.000Z', reason: 'unknown-price' } },
    'The message contains a price that is not in our catalogue.',
    'Maksettu, mutta ei vielä myönnetty',
  ),
];

/** The answers of the service for an organization that has no plan yet. */
const withoutPlan = ({ path }: Called): Answer | undefined => {
  const { pathname } = new URL(path, 'http://pages');
  const { since } = sampleDocument;
  const plans = { first: null, second: null };
  if (pathname.endsWith(`/${NORTHWIND}`))
    return { status: 200, body: { ...sampleDocument, plans, addOns: [], since: { ...since, plans } } };
  if (!pathname.endsWith('/entitlements')) return undefined;
  const because = [{ kind: 'none', what: 'no plan', amount: null, event: 0, at: sampleDocument.founded.at }];
  const none = { limit: null, unlimited: true, configured: null, hard: null, remaining: null };
  const limits = Object.entries(sampleEntitlements.limits).map(([name, { used }]) => [
    name,
    { used, over: 0, overridden: false, ...none, because },
  ]);
  return { status: 200, body: { ...sampleEntitlements, limits: Object.fromEntries(limits) as object } };
};

const rows: readonly OrganizationStateRow[] = [
  {
    at: 'overview',
    is: 'without-plan',
    but: withoutPlan,
    seen: 'No plan yet. Without a plan nothing is limited.',
    finnish: 'Kokeile paketteja',
  },
  {
    at: `history/1191${draftOf(assignSolo)}`,
    is: 'undo-asks',
    but: withPreview,
    act: (page) => page.getByRole('link', { name: 'Undo…' }).click(),
    seen: 'Replace the open draft?',
  },
  {
    at: 'overview?why=users',
    is: 'last-removals',
    seen: 'Last removals',
    finnish: 'Viimeisimmät poistot',
  },
  { at: 'overview', is: 'latest', seen: '\u2068Ben Okafor\u2069 removed', finnish: 'Viimeisimmät muutokset' },
  {
    at: 'overview',
    is: 'flags',
    act: (page) => page.locator('summary', { has: page.locator('#flags') }).click(),
    seen: 'TARGETING_MATCH',
    finnish: 'Liput sellaisina kuin ohjelmat ne näkevät',
  },
  {
    at: 'overview?asOf=1191',
    is: 'past-refused',
    but: (called) =>
      called.path.includes('asOf=') ? { status: 403, body: { type: '/problems/forbidden' } } : asMember(called),
    seen: 'The past is for owners and administrators. Ask Ada Jansen.',
    finnish: 'Menneisyys on omistajille ja ylläpitäjille. Kysy: Ada Jansen.',
  },
  {
    at: 'overview?asOf=2001-01-01T00:00:00Z',
    is: 'before-founding',
    but: ({ path }) => (path.includes('asOf=') ? { status: 404, body: { type: '/problems/not-found' } } : undefined),
    seen: 'The organization was founded on Mar 4, 2019.',
  },
  {
    at: 'overview',
    is: 'unreadable-history',
    but: ({ path }) =>
      path.includes(NORTHWIND) && !path.includes('asOf=')
        ? { status: 500, body: { type: '/problems/unreadable-history', instance: 'a-request', revision: 1_283 } }
        : undefined,
    seen: 'Look at event #1,282',
    finnish: 'Katso tapahtumaa #1\u00a0282',
  },
  { at: 'nothing', is: 'no-page', seen: 'There is no page here', finnish: 'Täällä ei ole sivua' },
  { at: 'members', seen: 'carla@northwind.example', finnish: 'Poistettu henkilö' },
  { at: 'members?role=member#q=bne', is: 'filtered', seen: 'No member is called “bne”. Clear filter' },
  { at: 'members?asOf=1191', is: 'past', seen: 'Member (now Admin)', finnish: '+ lisätty myöhemmin' },
  {
    at: 'members?asOf=1280&vs=1191',
    is: 'compared',
    seen: 'Admin (at #1,191: Member)',
    finnish: '+ lisätty välillä',
  },
  {
    at: 'members',
    is: 'without-names',
    but: onPath('/members', fault),
    seen: 'Names are unavailable right now; the list shows ids. Try again',
  },
  ...checkoutStates,
  {
    at: `members${draftOf(assignSolo)}`,
    is: 'drafting',
    but: withPreview,
    seen: '1 of 20 commands',
    finnish: 'Avaa luonnos',
  },
  {
    at: 'plan',
    is: 'operators',
    but: onPath('/standing', { status: 200, body: rightsOf.operator }),
    seen: 'Changes by operators',
  },
  ...changeStates,
  { at: `members/${BEN}`, is: 'one', seen: 'Role: Member → Admin', finnish: 'Rooli: Jäsen → Ylläpitäjä' },
  { at: `members/${BEN}?asOf=1191`, is: 'one-past', seen: 'recorded later' },
  { at: `members/${BEN}`, is: 'one-refused', but: asMember, seen: 'The history is for owners and administrators.' },
  { at: 'sites', seen: 'Logo: Off', finnish: 'Logo: Pois' },
  { at: 'sites?asOf=1191', is: 'past', seen: 'Old Catalogue' },
  { at: 'sites#q=bne', is: 'filtered', seen: 'No site is called “bne”. Clear filter' },
  { at: `sites/${SHOP}`, is: 'one', seen: 'Its own value', finnish: 'Oma arvo' },
  { at: `sites/${SHOP}?asOf=1191`, is: 'one-past', seen: 'recorded later' },
  { at: 'domains', seen: 'blog.northwind.example', finnish: 'Verkkotunnukset' },
  { at: 'domains?asOf=1191', is: 'past', seen: 'news.northwind.example' },
  {
    at: 'domains',
    is: 'failed',
    but: onPath(`/${NORTHWIND}`, fault),
    seen: 'Quality assurance domains: unavailable right now.',
  },
  { at: 'plan', seen: 'The terms as sold are those of event #1,101 · Feb 3, 2025', finnish: 'Tämän päivän valikoima' },
  { at: 'plan?asOf=1191', is: 'past', seen: 'none (now Assisted)' },
  { at: 'plan', is: 'refused', but: asMember, seen: asMemberPlan },
  {
    at: 'plan?try=second/solo',
    is: 'tried',
    but: onPath('/preview', { status: 200, body: ownersPreview }),
    seen: 'Assign Pulse Solo',
    finnish: 'Aseta paketti Pulse Solo',
  },
  {
    at: 'plan',
    is: 'without-catalogue',
    but: onPath('/catalogue', fault),
    seen: "Today's catalogue: unavailable right now.",
  },
  { at: 'settings', seen: 'stored, never shown', finnish: 'tallennettu, ei näytetä' },
  { at: 'settings?asOf=1191', is: 'past', seen: 'yes (now not set)' },
  { at: 'settings', is: 'refused', but: asMember, seen: 'Only owners and operators see these settings.' },
  ...domainStates,
];

/** The pages of an organization, each in its states, in English and Finnish. */
export const organizationStates: readonly PageState[] = rows.flatMap(({ at, is, seen, finnish, but, act }) => {
  const state: PageState = {
    name: ['console', /^\w+/.exec(at)![0], ...(is === undefined ? [] : [is])].join('-'),
    path: `/org/${NORTHWIND}/${at}`,
    wish: inConsole(people.ada, but),
    ...(act && { act }),
    seen,
  };
  return finnish === undefined ? [state] : [state, inFinnish(state, finnish)];
});
