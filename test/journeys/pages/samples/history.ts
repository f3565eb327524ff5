import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { ADA, BEN, SHOP } from './lists';

/**
 * The last revision of the sample organization's history, which has 1,284 events. Each event and its hash depend only
 * on the event's revision.
 */
export const HEAD = 1283;
const days: readonly (readonly [revision: number, day: string])[] = [
  [0, '2019-03-04T09:00:00.000Z'],
  [1191, '2026-05-02T09:00:00.000Z'],
  [HEAD, '2026-11-21T09:00:00.000Z'],
];
/** The times of all events, in milliseconds since 1970. */
const times = Array.from({ length: HEAD + 1 }, (_, revision) => {
  const [from, to] = revision <= 1191 ? [days[0]!, days[1]!] : [days[1]!, days[2]!];
  const share = (revision - from[0]) / (to[0] - from[0]);
  return Math.trunc(Date.parse(from[1]) + share * (Date.parse(to[1]) - Date.parse(from[1])));
});
const isoTimes = times.map((time) => new Date(time).toISOString());
const atOf = (revision: number) => isoTimes[revision]!;

type Made = Readonly<{ type: string; data: object; actor: Readonly<{ kind: string; id: string }> }>;
const [ada, ben] = [ADA, BEN].map((id) => ({ kind: 'account', id })) as [Made['actor'], Made['actor']];
const [billing, system] = [
  { kind: 'billing', id: 'stripe' },
  { kind: 'system', id: 'charter' },
];
const bought = (addOn: string, quantity: number, day: string) => ({
  ...{ purchase: `si_${addOn}`, addOn, quantity, grants: { limits: {}, features: [] } },
  effectiveAt: `${day}T00:00:00.000Z`,
});

function madeAt(revision: number): Made {
  const at = atOf(revision);
  if (revision === 0) return { type: 'OrganizationFounded', data: { name: 'Northwind' }, actor: ada };
  if (revision === 1) return { type: 'MemberAdded', data: { member: ADA, role: 'owner' }, actor: ada };
  if (revision === 1191)
    return { type: 'AddOnPurchased', data: bought('webAnalytics', 1, '2026-04-28'), actor: billing };
  if (revision === HEAD) return { type: 'MemberRemoved', data: { member: BEN }, actor: ada };
  const traffic = { type: 'TrafficReported', data: { month: at.slice(0, 7), views: revision * 600 }, actor: system };
  const cycle: readonly Made[] = [
    traffic,
    { type: 'MemberAdded', data: { member: BEN, role: 'member' }, actor: ada },
    traffic,
    { type: 'SiteRenamed', data: { site: SHOP, name: 'Help Center' }, actor: ben },
    { type: 'HardLimitsOverridden', data: { reason: 'Fair in Turku', until: '2026-12-31T00:00:00.000Z' }, actor: ada },
    traffic,
    { type: 'LimitsConfigured', data: { limits: { users: 12, contentSections: null } }, actor: ada },
    { type: 'SiteAdded', data: { site: SHOP, hostname: 'help.northwind.example', name: '' }, actor: ben },
  ];
  return cycle[revision % cycle.length]!;
}

const uuidOf = (kind: number, revision: number) =>
  `7c1e52f0-000${kind}-4000-8000-${String(revision).padStart(12, '0')}`;

/** The events of the history in the form of `GET …/events`. */
const events = (organization: string) => {
  let previousHash = '0'.repeat(64);
  return Array.from({ length: HEAD + 1 }, (_, revision) => {
    const { type, data, actor } = madeAt(revision);
    // In each group of eight events, the events with the indexes 4 and 5 belong to one request.
    const request = uuidOf(2, revision % 8 === 5 ? revision - 1 : revision);
    const metadata = {
      ...{ command: request, correlation: request, causation: request },
      ...{ actor, at: atOf(revision), schema: 1, previousHash },
    };
    const event = { stream: `organization-${organization}`, revision, id: uuidOf(1, revision), type, data };
    const hash = createHash('sha256')
      .update(canonicalize({ ...event, metadata })!)
      .digest('hex');
    previousHash = hash;
    return { ...event, position: String(revision * 3), metadata: { ...metadata, hash } };
  });
};

let made: ReturnType<typeof events> | undefined;

/** The answer of `GET …/events` for the parameters that the console sends. */
export function eventPage(organization: string, query: URLSearchParams) {
  made ??= events(organization);
  const [first, last] = [query.get('from') ?? '0', query.get('to') ?? String(HEAD)].map((end) =>
    /^\d+$/.test(end) ? Number(end) : made!.filter(({ metadata }) => metadata.at <= end).length - 1,
  ) as [number, number];
  const [types, otherTypes] = ['type', 'not-type'].map((name) => query.get(name)?.split(','));
  const [actor, correlation] = [query.get('actor'), query.get('correlation')];
  const isNewest = query.get('order') === 'newest';
  const found = made
    .slice(first, last + 1)
    .filter(({ type }) => (types?.includes(type) ?? true) && otherTypes?.includes(type) !== true)
    .filter(({ metadata }) => actor === null || [metadata.actor.id, metadata.actor.kind].includes(actor))
    .filter(({ metadata }) => correlation === null || metadata.correlation === correlation);
  const sorted = isNewest ? found.reverse() : found;
  const start = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 20);
  return {
    events: sorted.slice(start, start + limit),
    next: sorted.length > start + limit ? String(start + limit) : null,
  };
}

const BINS = 60;

/** The answer of `GET …/timeline` for an axis of time, or of event numbers. */
export function timelineOf(organization: string, axis: string | null) {
  const [from, to] = [Date.parse(atOf(0)), Date.parse(atOf(HEAD))];
  const moment = (share: number) =>
    axis === 'time' ? new Date(from + share * (to - from)).toISOString() : atOf(Math.floor(share * HEAD));
  const point = (revision: number) => ({ revision, at: atOf(revision) });
  const mark = (revision: number, type: string, group: string, more: object = {}) => ({
    ...{ ...point(revision), type, group },
    ...more,
  });
  return {
    organization,
    ...{ first: point(0), last: point(HEAD) },
    bins: Array.from({ length: BINS }, (_, bin) => ({
      ...{ first: bin * 21, last: bin * 21 + 20, from: moment(bin / BINS), to: moment((bin + 1) / BINS) },
      ...{ events: 4 + ((bin * 7) % 17), groups: { members: 3 + ((bin * 5) % 4), sites: 1 } },
    })),
    marks: [
      mark(4, 'PlanAssigned', 'plan'),
      mark(310, 'LimitsConfigured', 'limits'),
      mark(620, 'OrganizationClosed', 'founding'),
      mark(640, 'OrganizationReopened', 'founding'),
      mark(1101, 'PlanAssigned', 'plan'),
      mark(1190, 'HardLimitsOverridden', 'limits'),
      mark(1191, 'AddOnPurchased', 'add-ons', { backDated: true }),
    ],
    marksInAll: 7,
    over: [
      { resource: 'users', from: point(330), to: point(610), most: 3 },
      { resource: 'contentSections', from: point(1150), to: null, most: 1 },
    ],
    overInAll: 2,
    signed: { at: '2026-11-20T09:00:00.000Z', events: 1281 },
    ahead: [{ at: '2026-12-31T09:00:00.000Z', what: 'override-ends', event: 1190 }],
  };
}

/** The revision of the last event recorded until a moment. A text of digits is already a revision. */
const revisionAt = (moment: string): number => {
  if (/^\d+$/.test(moment)) return Number(moment);
  const until = Date.parse(moment);
  return times.findLastIndex((time) => time <= until);
};

/** The answer of `GET …/diff` between two moments of the history. */
export const difference = (organization: string, query: URLSearchParams) => {
  const cause = (revision: number, more: object = {}) => {
    const { type, metadata } = (made ??= events(organization))[revision]!;
    return { ...{ revision, type, actor: metadata.actor, at: metadata.at }, ...more };
  };
  const end = (given: string | null) => ({ revision: revisionAt(given ?? ''), at: atOf(HEAD), moment: atOf(HEAD) });
  const late = { effectiveAt: '2026-04-28T00:00:00.000Z', backDated: true };
  return {
    organization,
    ...{ from: end(query.get('from')), to: end(query.get('to')), valid: query.get('valid'), events: 92 },
    state: [
      {
        ...{ op: 'add', path: '/addOns/si_webAnalytics', value: bought('webAnalytics', 1, '2026-04-28') },
        ...{ causes: [cause(1191, late)], causesInAll: 1 },
      },
      {
        ...{ op: 'remove', path: `/members/${BEN}`, before: { role: 'member', productUser: false } },
        ...{ causes: [cause(HEAD)], causesInAll: 1 },
      },
      {
        ...{ op: 'replace', path: '/name', before: 'Northwind', value: 'Northwind GmbH' },
        ...{ causes: [cause(4)], causesInAll: 31 },
      },
    ],
    entitlements: {
      limits: {
        users: {
          before: { limit: 8, configured: 8, hard: 10, used: 7, over: 0 },
          after: { limit: 5, configured: 8, hard: 5, used: 6, over: 1 },
          causes: [cause(1196, { actor: null, endedAt: '2026-10-31T00:00:00.000Z' })],
          causesInAll: 1,
        },
      },
      features: { webAnalytics: { before: false, after: true, causes: [cause(1191, late)], causesInAll: 1 } },
    },
  };
};
