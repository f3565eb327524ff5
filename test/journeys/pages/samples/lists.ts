/** The lists of the sample organization: its members, sites and domains, now and on 2 May 2026. */
const id = (kind: number, number: number) => `7c1e52f0-0000-4000-8000-0000000${kind}000${number}`;
export const ADA = 'p';
export const BEN = id(1, 1);
export const SHOP = id(2, 1);

const since = { event: 12, at: '2019-03-06T09:00:00.000Z' };
const member = (user: string, role: string, pulseUser = false) => ({
  ...{ _id: user, role, pulseUser, since },
  roleSince: role === 'admin' ? { event: 1204, at: '2026-06-09T09:00:00.000Z' } : since,
});
const carla = id(1, 2);
const dora = id(1, 3);
const erased = id(1, 4);
const gone = id(1, 5);

const features = {
  ...{ customCTAs: true, integrations: false, live: true, logo: true, reports: true },
  ...{ timeFilter: true, timeFilterMigrated: false, userInputs: true },
  ...{ floatingShareButtons: true, anonymizeFeedback: false },
};
const report = { weekly: true, monthly: true };
const site = (_id: string, name: string, hostname: string, more: object = {}) => ({
  ...{ _id, name, hostname, unicode: hostname, features, report, live: true, since },
  ...more,
});
const munich = { hostname: 'xn--mnchen-3ya.example', unicode: 'münchen.example' };
const domain = (_id: string, hostname: string) => ({ _id, hostname, unicode: hostname, since });

export const presentLists = {
  members: [
    member(ADA, 'owner', true),
    member(BEN, 'admin'),
    member(carla, 'member'),
    member(dora, 'member'),
    member(erased, 'member'),
  ],
  sites: [
    site(SHOP, 'Northwind Shop', 'shop.northwind.example', { features: { ...features, logo: false } }),
    site(id(2, 2), 'Northwind München', munich.hostname, munich),
    site(id(2, 3), 'Help Center', 'help.northwind.example'),
  ],
  qualityAssurance: { domains: [] as object[] },
  webAnalytics: { domains: [{ _id: 'd1', ...munich, since }, domain('d2', 'blog.northwind.example')] },
};

/**
 * The lists on 2 May 2026. One member has another role than now. A member, a site and a domain of that day were removed
 * later, and others were added.
 */
export const pastLists: typeof presentLists = {
  ...presentLists,
  members: [member(ADA, 'owner'), member(BEN, 'member'), member(gone, 'member')],
  sites: [
    site(SHOP, 'Northwind Shop', 'shop.northwind.example'),
    site(id(2, 4), 'Old Catalogue', 'catalogue.northwind.example'),
  ],
  webAnalytics: { domains: [{ _id: 'd1', ...munich, since }, domain('d3', 'news.northwind.example')] },
};

const person = (user: string, role: string, about: object) => ({ user, role, productUser: false, ...about });
const account = (name: string | null, email: string, invited = false) => ({ name, username: null, email, invited });

/** The present members with the names and e-mail addresses of their accounts. */
export const memberPage = {
  members: [
    person(ADA, 'owner', account('Ada Jansen', 'ada@northwind.example')),
    person(BEN, 'admin', account('Ben Okafor', 'ben@northwind.example')),
    person(carla, 'member', account(null, 'carla@northwind.example', true)),
    person(dora, 'member', {}),
    person(erased, 'member', { erased: true }),
  ],
  next: null,
};
const pastMemberPage = {
  members: [
    ...memberPage.members.slice(0, 2).map((one) => ({ ...one, role: one.user === BEN ? 'member' : one.role })),
    person(gone, 'member', {}),
  ],
  next: null,
};

/** The answer of `POST …/names`. */
export const names = {
  names: {
    [ADA]: { name: 'Ada Jansen', as: 'member', erased: false },
    [BEN]: { name: 'Ben Okafor', as: 'former-member', erased: false },
  },
};

type Listed = Readonly<{ user: string; role: string; name?: string | null; email?: string }> &
  Readonly<{ invited?: boolean; erased?: boolean }>;

const stateOf = ({ invited, erased: isErased }: Listed) =>
  isErased ? 'erased' : invited === undefined ? 'unknown' : invited ? 'invited' : 'active';

/** The answer of `GET …/members` and of `POST …/members/search`, whose body contains the sought text. */
export function memberList(isPast: boolean, filter: Readonly<Record<string, unknown>>) {
  const q = typeof filter['q'] === 'string' ? filter['q'].toLowerCase() : '';
  const all: readonly Listed[] = (isPast ? pastMemberPage : memberPage).members;
  const members = all.filter(
    (one) =>
      [undefined, one.role].includes(filter['role'] as string | undefined) &&
      [undefined, stateOf(one)].includes(filter['state'] as string | undefined) &&
      (['', one.user].includes(q) || [one.name, one.email].some((text) => text?.toLowerCase().includes(q))),
  );
  return { members, next: null, inAll: members.length };
}

/** The answer of `GET …/sites`. */
export function siteList(isPast: boolean, q: string) {
  const sites = (isPast ? pastLists : presentLists).sites.filter(({ name, hostname, unicode }) =>
    [name, hostname, unicode].some((text) => text.toLowerCase().includes(q.toLowerCase())),
  );
  return { sites, next: null, inAll: sites.length };
}

const change = (revision: number, type: string, day: string, values: object) => ({
  ...{ revision, type, at: `${day}T09:00:00.000Z`, actor: { kind: 'account', id: ADA } },
  ...values,
});

/** The answers of `GET …/changes`, by path. */
export const changesOf: Readonly<Record<string, readonly object[]>> = {
  '/members': [
    change(1206, 'MemberRemoved', '2026-06-20', { before: { [gone]: member(gone, 'member') } }),
    change(1204, 'MemberRoleChanged', '2026-06-09', {
      ...{ before: { [BEN]: { role: 'member' } }, after: { [BEN]: { role: 'admin' } } },
    }),
    change(1100, 'MemberRemoved', '2025-01-20', { before: { [gone]: member(gone, 'admin') } }),
  ],
  [`/members/${BEN}`]: [
    change(1204, 'MemberRoleChanged', '2026-06-09', { before: { role: 'member' }, after: { role: 'admin' } }),
    change(1120, 'MemberAdded', '2025-02-11', { after: member(BEN, 'member') }),
  ],
  '/plans/second': [
    change(1101, 'PlanAssigned', '2025-02-03', {
      ...{ before: { plan: 'solo' }, after: { plan: 'teams' }, actor: { kind: 'billing', id: 'stripe' } },
    }),
  ],
  '/name': [
    change(1250, 'OrganizationRenamed', '2026-08-01', { before: 'Northwind GmbH & Co', after: 'Northwind GmbH' }),
    change(4, 'OrganizationRenamed', '2019-03-05', { before: 'Northwind', after: 'Northwind GmbH & Co' }),
  ],
  '/limits/users': [
    change(1206, 'MemberRemoved', '2026-06-20', {
      ...{ before: { used: 8, remaining: 0 }, after: { used: 7, remaining: 1 } },
    }),
    change(1140, 'AddOnPurchased', '2025-03-04', {
      ...{ before: { limit: 5, configured: 5, remaining: 0 }, after: { limit: 8, configured: 8, remaining: 3 } },
    }),
  ],
  [`/sites/${SHOP}`]: [
    change(1210, 'SiteFeaturesChanged', '2026-07-01', {
      ...{ before: { features: { logo: true } }, after: { features: { logo: false } } },
    }),
    change(12, 'SiteAdded', '2019-03-06', { after: presentLists.sites[0] }),
  ],
};

const switches = Object.entries({ ...features, logo: false }).map(([feature, on]) => [
  feature,
  feature === 'logo'
    ? { on, because: 'site', event: 1210, at: '2026-07-01T09:00:00.000Z' }
    : { on, because: 'plan', event: 1101, at: '2025-02-03T09:00:00.000Z' },
]);
/** The answer of `GET …/sites/:site`. */
export const siteReasons = { ...presentLists.sites[0], features: Object.fromEntries(switches) as object };

/** The answer of `GET …/notification-recipients`. */
export const recipients = { recipients: [ADA, BEN, dora] };
/** The answer of `GET …/single-sign-on`. */
export const singleSignOn = {
  ...{ issuer: 'https://login.northwind.example', clientId: 'charter' },
  callback: 'https://charter.example/auth/sso/callback',
  start: 'https://charter.example/auth/sso/northwind',
};
