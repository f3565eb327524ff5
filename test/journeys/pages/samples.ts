import { loadCatalogue, printedCatalogue } from '@charter/catalogue';
import { permissions } from '@charter/organization';
import type { Answer, Called } from '../../support/pages/built-pages';
import { readersPage } from './samples/readers';
import { flagList } from './samples/flags';
import { difference, eventPage, timelineOf } from './samples/history';
import {
  changesOf,
  memberList,
  names,
  pastLists,
  presentLists,
  recipients,
  SHOP,
  singleSignOn,
  siteList,
  siteReasons,
} from './samples/lists';
import { domainPage, pastDomain, provenDomain } from './samples/email-domains';

/** The id of the sample organization, for tests of pages without a service. */
export const NORTHWIND = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d10';

const at = (day: string) => `${day}T09:00:00.000Z`;
const plan = { kind: 'plan', what: 'second/teams', event: 1101, at: at('2025-02-03') };
const bought = (addOn: string, event: number) => ({ kind: 'add-on', what: addOn, event, at: at('2025-03-04') });
const held = (purchase: string, addOn: string, quantity: number) => ({
  ...{ purchase, addOn, quantity, effectiveAt: at('2025-03-01') },
  since: { event: 1140, at: at('2025-03-04') },
});
const onBecause = (...because: object[]) => ({ on: true, because });
const off = { on: false, because: [{ ...plan, kind: 'not-in-plan' }] };

export const sampleDocument = {
  _id: NORTHWIND,
  name: 'Northwind GmbH',
  founded: { event: 0, at: at('2019-03-04') },
  closed: false,
  plans: { first: null, second: { plan: 'teams', effectiveAt: at('2025-02-03') } },
  serviceLevel: 'assisted',
  addOns: [held('a', 'additionalUser', 3), held('b', 'additionalContentSection', 1), held('c', 'webAnalytics', 1)],
  ...presentLists,
  since: {
    plans: { first: null, second: { event: 1101, at: at('2025-02-03') } },
    serviceLevel: { event: 1200, at: at('2025-05-06') },
  },
  closure: null,
  limits: { users: 8, contentSections: 3, qualityAssuranceDomains: 0, webAnalyticsDomains: 1, override: false },
  pulse: true,
  pulseDetails: { plan: 'teams', parallelUse: null as boolean | null },
};

export const sampleEntitlements = {
  organization: NORTHWIND,
  revision: 1283,
  at: at('2026-11-21'),
  limits: {
    users: {
      limit: 8,
      unlimited: false,
      configured: 8,
      hard: 10,
      overridden: false,
      used: 7,
      remaining: 1,
      over: 0,
      because: [
        { ...plan, amount: 5 },
        { ...bought('additionalUser', 1140), quantity: 3, amount: 3 },
        { kind: 'hard-limit', what: 'second/teams', amount: 10, event: 1101, at: at('2025-02-03') },
      ],
    },
    contentSections: {
      limit: 3,
      unlimited: false,
      configured: 3,
      hard: null,
      overridden: false,
      used: 4,
      remaining: 0,
      over: 1,
      because: [
        { ...plan, amount: 2 },
        { ...bought('additionalContentSection', 1150), quantity: 1, amount: 1 },
      ],
    },
    qualityAssuranceDomains: {
      limit: 0,
      unlimited: false,
      configured: 0,
      hard: null,
      overridden: false,
      used: 0,
      remaining: 0,
      over: 0,
      gate: { feature: 'qualityAssurance', on: false },
      because: [{ ...plan, amount: 0 }],
    },
    webAnalyticsDomains: {
      limit: 1000,
      unlimited: false,
      configured: 1000,
      hard: null,
      overridden: false,
      used: 1,
      remaining: 999,
      over: 0,
      gate: { feature: 'webAnalytics', on: true },
      because: [{ kind: 'always', what: 'fixed', amount: 1000, event: 0, at: at('2019-03-04') }],
    },
  },
  features: {
    multiSite: onBecause(plan),
    multiUser: onBecause(plan, bought('webAnalytics', 1191)),
    emailNotifications: onBecause(plan),
    feedback: off,
    feedbackAssigning: off,
    feedbackLabeling: off,
    feedbackNotes: off,
    buttonToolGeneral: onBecause(plan),
    buttonToolSentiment: off,
    buttonToolAfterReactions: off,
    buttonToolHistory: off,
    significantChangesReport: onBecause(plan),
    matomoIntegration: onBecause(plan),
    disableAISummary: off,
    qualityAssurance: off,
    webAnalytics: onBecause(bought('webAnalytics', 1191)),
    chatSupport: onBecause({ kind: 'service-level', what: 'assisted', event: 1200, at: at('2025-05-06') }),
  },
  traffic: {
    ...{ month: '2026-11', views: 812_400, allowance: 1_000_000, mark: 80 },
    because: [
      { kind: 'report', what: '2026-11', amount: 812_400, event: 1281, at: at('2026-11-20') },
      { ...plan, amount: 1_000_000 },
    ],
  },
};

/** The same organization on 2 May 2026, with fewer users, sites and add-ons. */
const pastDocument = {
  ...sampleDocument,
  ...pastLists,
  pulseDetails: { plan: 'teams', parallelUse: true },
  addOns: sampleDocument.addOns.slice(0, 1),
  serviceLevel: 'none',
};
const pastEntitlements = {
  ...{ ...sampleEntitlements, revision: 1191, at: at('2026-05-02') },
  limits: {
    ...sampleEntitlements.limits,
    users: { ...sampleEntitlements.limits.users, used: 5, remaining: 3 },
    contentSections: { ...sampleEntitlements.limits.contentSections, used: 1, remaining: 2, over: 0 },
  },
  features: { ...sampleEntitlements.features, chatSupport: off },
};
const standing = {
  organization: NORTHWIND,
  roles: ['owner'],
  may: [],
  reads: ['document', 'history', 'names', 'readers', 'singleSignOn', 'verifiedDomains'],
  grants: [],
};

const may = (role: string) =>
  Object.entries(permissions).flatMap(([type, roles]: [string, readonly string[]]) =>
    type !== 'FoundOrganization' && roles.includes(role) ? [type] : [],
  );
/** The answers of `GET …/standing` for people who may change the organization. */
export const rightsOf = {
  owner: { ...standing, may: may('owner'), grants: ['owner', 'admin', 'member'] },
  admin: { ...standing, roles: ['admin'], may: may('admin'), grants: ['admin', 'member'] },
  operator: { ...standing, roles: ['operator'], may: may('operator'), grants: ['owner', 'admin', 'member'] },
};

const printed = printedCatalogue(loadCatalogue(), 'pulse');
/** The product catalogue, in which a plan and an add-on are not sold online. */
const catalogue = {
  ...printed,
  plans: printed.plans.map((one) => ({ ...one, soldOnline: one.plan !== 'light' })),
  addOns: printed.addOns.map((one) => ({ ...one, soldOnline: one.addOn !== 'webAnalytics' })),
};

/**
 * The plan Teams with the terms of its sale, which differ from today's catalogue: fewer users, and no Matomo
 * integration.
 */
const teams = loadCatalogue()
  .plans()
  .find(({ line, plan: name }) => line === 'second' && name === 'teams')!.terms;
const saleOfTeams = {
  ...{ revision: 1101, type: 'PlanAssigned' },
  data: {
    ...{ line: 'second', plan: 'teams' },
    terms: {
      ...teams,
      limits: { ...teams.limits, users: 5 },
      features: teams.features.filter((feature) => feature !== 'matomoIntegration'),
    },
  },
  metadata: { actor: { kind: 'billing', id: 'stripe' }, at: at('2025-02-03'), hash: '1'.repeat(64) },
};

const many = [
  'Acme',
  'Blue Harbour',
  'Contoso',
  'Fabrikam',
  'Initech',
  'Northwind GmbH',
  'Tyrell',
  'Umbrella',
  'Wayne',
];
const ids = many.map((name, index) =>
  name.startsWith('Northwind') ? NORTHWIND : `7c1e52f0-0000-4000-8000-00000000000${index}`,
);

const person = { id: 'p', name: 'Ada Jansen', username: 'ada', email: 'ada@northwind.example', role: null };
const membership = { id: NORTHWIND, name: 'Northwind GmbH', role: 'owner', accepted: true };

export const people = {
  ada: { ...person, organizations: [membership] },
  several: {
    ...person,
    organizations: many.map((name, index) => ({
      ...{ id: ids[index], name, role: index % 2 ? 'member' : 'admin' },
      accepted: true,
    })),
  },
  /** A member whose name the other members do not see yet. */
  added: { ...person, organizations: [{ ...membership, accepted: false }] },
  nora: { ...person, organizations: [] },
  operator: { ...person, name: 'Olga Op', role: 'operator', organizations: [] },
};

const sessions = {
  sessions: [
    {
      id: 's1',
      method: 'password',
      agent: 'Mozilla/5.0 (Wayland; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
      began: at('2026-11-20'),
      used: at('2026-11-21'),
      current: true,
    },
    {
      id: 's2',
      method: 'google',
      agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1',
      began: at('2026-11-02'),
      used: at('2026-11-19'),
    },
  ],
};

/** A past revision at which the organization already has its present values. */
const LATER = '1280';

/** Answers the console's requests for one signed-in person. An answer from `but` replaces the usual answer. */
export const answering =
  (me: object, but: (called: Called) => Answer | undefined = () => undefined) =>
  (called: Called): Answer => {
    const { pathname, searchParams } = new URL(called.path, 'http://pages');
    const asOf = searchParams.get('asOf');
    const isPast = asOf !== null && asOf !== LATER;
    const answers: Readonly<Record<string, object>> = {
      '/api/v1/me': me,
      '/api/v1/me/sessions': sessions,
      '/api/v1/organizations': {
        organizations: many.map((name, index) => ({ id: ids[index], name, plans: sampleDocument.plans })),
        next: null,
      },
      '/api/v1/catalogue': catalogue,
      [`/api/v1/organizations/${NORTHWIND}`]: isPast ? pastDocument : sampleDocument,
      [`/api/v1/organizations/${NORTHWIND}/entitlements`]: isPast
        ? pastEntitlements
        : { ...sampleEntitlements, ...(asOf !== null && { revision: Number(asOf) }) },
      [`/api/v1/organizations/${NORTHWIND}/standing`]: standing,
      [`/api/v1/organizations/${NORTHWIND}/members`]: memberList(isPast, Object.fromEntries(searchParams)),
      [`/api/v1/organizations/${NORTHWIND}/sites`]: siteList(isPast, searchParams.get('q') ?? ''),
      [`/api/v1/organizations/${NORTHWIND}/notification-recipients`]: recipients,
      [`/api/v1/organizations/${NORTHWIND}/single-sign-on`]: singleSignOn,
      [`/api/v1/organizations/${NORTHWIND}/verified-domains`]: domainPage(isPast ? [pastDomain] : [provenDomain]),
      [`/api/v1/organizations/${NORTHWIND}/changes`]: changesAt(searchParams.get('path') ?? ''),
      [`/api/v1/organizations/${NORTHWIND}/sites/${SHOP}`]: siteReasons,
      [`/api/v1/organizations/${NORTHWIND}/events`]:
        searchParams.get('from') === '1101' && searchParams.get('to') === '1101'
          ? { events: [saleOfTeams], next: null }
          : eventPage(NORTHWIND, searchParams),
      [`/api/v1/organizations/${NORTHWIND}/diff`]: difference(NORTHWIND, searchParams),
      [`/api/v1/organizations/${NORTHWIND}/timeline`]: timelineOf(NORTHWIND, searchParams.get('axis')),
      [`/api/v1/organizations/${NORTHWIND}/readers`]: readersPage(searchParams),
    };
    const body = answers[pathname];
    const { asOf: flagsAt } = (called.body as { context?: { asOf?: string } } | undefined)?.context ?? {};
    const posts: Readonly<Record<string, object>> = {
      '/api/v1/me': me,
      '/ofrep/v1/evaluate/flags': flagList(NORTHWIND, flagsAt === undefined ? sampleEntitlements : pastEntitlements),
      [`/api/v1/organizations/${NORTHWIND}/names`]: names,
      [`/api/v1/organizations/${NORTHWIND}/members/search`]: memberList(
        isPast,
        (called.body ?? {}) as Readonly<Record<string, unknown>>,
      ),
    };
    const post = posts[pathname] ? { status: 200, body: posts[pathname] } : { status: 204 };
    return but(called) ?? (called.method !== 'GET' ? post : body ? { status: 200, body } : missing);
  };

const changesAt = (path: string) => ({ path, changes: changesOf[path] ?? [], next: null });
const missing: Answer = { status: 404, body: { type: '/problems/not-found', instance: 'a-request' } };
export const fault: Answer = { status: 500, body: { type: '/problems/fault', instance: '5f2c0a1e-77b3' } };
