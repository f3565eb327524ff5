import { randomUUID } from 'node:crypto';
import { founded, path } from './organizations';
import { type OwnProvider, startOwnProvider } from '../sign-in/own-provider';
import type { Route } from './routes';
import type { Served } from '../serving';

/** An organization with at least one member, site and domain of each kind, so that every route finds data. */
export type FullOrganization = Readonly<{
  id: string;
  owner: string;
  member: string;
  site: string;
  qualityAssuranceDomain: string;
  webAnalyticsDomain: string;
  purchase: string;
  /** A working identity provider. */
  provider: Pick<OwnProvider, 'issuer' | 'client'>;
}>;

/** Founds an organization and adds its data with commands. @throws if the service refuses a request */
export async function fullOrganization(served: Served, by: string): Promise<FullOrganization> {
  const [owner, member, site, qualityAssuranceDomain, webAnalyticsDomain] = [id(), id(), id(), id(), id()];
  const here = {
    id: await founded(served, { by, name: 'Acme' }),
    owner,
    member,
    site,
    qualityAssuranceDomain,
    webAnalyticsDomain,
    purchase: id(),
    provider: await (provider ??= startOwnProvider()),
  };
  const commands = [
    { type: 'AssignPlan', data: { line: 'second', plan: 'enterprise' } },
    { type: 'AddMember', data: { member: owner, role: 'owner' } },
    { type: 'AddMember', data: { member, role: 'member' } },
    { type: 'AddSite', data: { site, hostname: 'shop.example' } },
    { type: 'AddQualityAssuranceDomain', data: { domain: qualityAssuranceDomain, hostname: 'qa.example' } },
    { type: 'AddWebAnalyticsDomain', data: { domain: webAnalyticsDomain, hostname: 'count.example' } },
    { type: 'PurchaseAddOn', data: { purchase: here.purchase, addOn: 'additionalUser' } },
  ];
  const answer = await served.ask('POST', path(here.id, '/commands'), { key: by, body: { commands } });
  if (answer.status !== 200) throw new Error(answer.text);
  return here;
}

/** All organizations of a spec file share this identity provider. */
let provider: Promise<OwnProvider> | undefined;
afterAll(async () => (await provider)?.close());

export type RouteRequest = Readonly<{ path: string; body?: object }>;

/**
 * A valid request for each route about organizations, the catalogue, billing events and the change feed. If a route can
 * change data, its request changes data.
 */
export const rightRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /api/v1/catalogue': () => ({ path: '/api/v1/catalogue' }),
  'GET /api/v1/organizations': () => at('?limit=5'),
  'POST /api/v1/organizations': () => at('', { name: 'Another' }),
  'GET /api/v1/organizations/:id': ({ id }) => at(`/${id}`),
  'GET /api/v1/organizations/:id/standing': ({ id }) => at(`/${id}/standing`),
  'PATCH /api/v1/organizations/:id': ({ id }) => at(`/${id}`, { name: 'Acme & Sons' }),
  'POST /api/v1/organizations/:id/close': ({ id }) => at(`/${id}/close`, { reason: 'moved away' }),
  'POST /api/v1/organizations/:id/reopen': ({ id }) => at(`/${id}/reopen`, { reason: 'came back' }),
  'GET /api/v1/organizations/:id/entitlements': ({ id }) => at(`/${id}/entitlements`),
  'GET /api/v1/organizations/:id/entitlements/:key': ({ id }) => at(`/${id}/entitlements/users`),
  'GET /api/v1/organizations/:id/notification-recipients': ({ id }) => at(`/${id}/notification-recipients`),
  'PUT /api/v1/organizations/:id/plan': ({ id }) => at(`/${id}/plan`, { line: 'first', plan: 'essential' }),
  'DELETE /api/v1/organizations/:id/plan/:line': ({ id }) => at(`/${id}/plan/second`),
  'POST /api/v1/organizations/:id/plan/preview': ({ id }) =>
    at(`/${id}/plan/preview`, { line: 'second', plan: 'teams' }),
  'POST /api/v1/organizations/:id/add-ons': ({ id }) => at(`/${id}/add-ons`, { addOn: 'feedback' }),
  'PUT /api/v1/organizations/:id/add-ons/:purchase': ({ id, purchase }) =>
    at(`/${id}/add-ons/${purchase}`, { quantity: 3 }),
  'DELETE /api/v1/organizations/:id/add-ons/:purchase': ({ id, purchase }) => at(`/${id}/add-ons/${purchase}`),
  'PUT /api/v1/organizations/:id/service-level': ({ id }) => at(`/${id}/service-level`, { serviceLevel: 'assisted' }),
  'PUT /api/v1/organizations/:id/product': ({ id }) => at(`/${id}/product`, { enabled: false }),
  'PUT /api/v1/organizations/:id/parallel-use': ({ id }) => at(`/${id}/parallel-use`, { parallelUse: true }),
  'PUT /api/v1/organizations/:id/limits': ({ id }) => at(`/${id}/limits`, { users: 50 }),
  'PUT /api/v1/organizations/:id/limits/override': ({ id }) => at(`/${id}/limits/override`, { reason: 'a favour' }),
  'DELETE /api/v1/organizations/:id/limits/override': ({ id }) => at(`/${id}/limits/override?reason=enough`),
  'GET /api/v1/organizations/:id/export': ({ id }) => at(`/${id}/export`),
  'GET /api/v1/organizations/:id/members': ({ id }) => at(`/${id}/members`),
  'POST /api/v1/organizations/:id/members': ({ id }) => at(`/${id}/members`, { user: randomUUID(), role: 'member' }),
  'PATCH /api/v1/organizations/:id/members/:user': ({ id, member }) =>
    at(`/${id}/members/${member}`, { role: 'admin' }),
  'DELETE /api/v1/organizations/:id/members/:user': ({ id, member }) => at(`/${id}/members/${member}`),
  'POST /api/v1/organizations/:id/sites': ({ id }) => at(`/${id}/sites`, { hostname: 'blog.example', name: 'Blog' }),
  'POST /api/v1/organizations/:id/members/search': ({ id }) => at(`/${id}/members/search`, { q: 'a' }),
  'GET /api/v1/organizations/:id/sites': ({ id }) => at(`/${id}/sites`),
  'GET /api/v1/organizations/:id/sites/:site': ({ id, site }) => at(`/${id}/sites/${site}`),
  'PATCH /api/v1/organizations/:id/sites/:site': ({ id, site }) => at(`/${id}/sites/${site}`, { name: 'The shop' }),
  'DELETE /api/v1/organizations/:id/sites/:site': ({ id, site }) => at(`/${id}/sites/${site}`),
  'POST /api/v1/organizations/:id/quality-assurance/domains': ({ id }) =>
    at(`/${id}/quality-assurance/domains`, { hostname: 'more.example' }),
  'DELETE /api/v1/organizations/:id/quality-assurance/domains/:domain': ({ id, qualityAssuranceDomain }) =>
    at(`/${id}/quality-assurance/domains/${qualityAssuranceDomain}`),
  'POST /api/v1/organizations/:id/web-analytics/domains': ({ id }) =>
    at(`/${id}/web-analytics/domains`, { hostname: 'more.example' }),
  'DELETE /api/v1/organizations/:id/web-analytics/domains/:domain': ({ id, webAnalyticsDomain }) =>
    at(`/${id}/web-analytics/domains/${webAnalyticsDomain}`),
  'POST /api/v1/organizations/:id/traffic': ({ id }) => at(`/${id}/traffic`, { month: '2026-01', views: 1_000 }),
  'PUT /api/v1/organizations/:id/billing-account': ({ id }) =>
    at(`/${id}/billing-account`, { provider: 'stripe', customer: `cus_${randomUUID()}` }),
  'GET /api/v1/organizations/:id/billing/reconciliation': ({ id }) => at(`/${id}/billing/reconciliation`),
  'POST /api/v1/billing/events': ({ id }) => ({ path: '/api/v1/billing/events', body: assigned(id) }),
  'GET /api/v1/organizations/:id/single-sign-on': ({ id }) => at(`/${id}/single-sign-on`),
  'PUT /api/v1/organizations/:id/single-sign-on': ({ id, provider: { issuer, client } }) =>
    at(`/${id}/single-sign-on`, { issuer, clientId: client.id, clientSecret: client.secret }),
  'DELETE /api/v1/organizations/:id/single-sign-on': ({ id }) => at(`/${id}/single-sign-on`),
  'POST /api/v1/organizations/:id/preview': ({ id }) =>
    at(`/${id}/preview`, { commands: [{ type: 'DisableProduct' }] }),
  'POST /api/v1/organizations/:id/commands': ({ id }) =>
    at(`/${id}/commands`, { commands: [{ type: 'RenameOrganization', data: { name: 'Acme Ltd' } }] }),
  'POST /api/v1/organizations/:id/undo': ({ id }) => at(`/${id}/undo`, { event: 3 }),
  'GET /api/v1/organizations/:id/events': ({ id }) => at(`/${id}/events?limit=5`),
  'GET /api/v1/organizations/:id/diff': ({ id }) => at(`/${id}/diff?from=0`),
  'GET /api/v1/organizations/:id/steps': ({ id }) => at(`/${id}/steps?from=0`),
  'POST /api/v1/organizations/:id/names': ({ id, owner }) => at(`/${id}/names`, { ids: [owner] }),
  'GET /api/v1/organizations/:id/checkpoint': ({ id }) => at(`/${id}/checkpoint`),
  'GET /api/v1/organizations/:id/changes': ({ id }) => at(`/${id}/changes?path=/members`),
  'GET /api/v1/organizations/:id/timeline': ({ id }) => at(`/${id}/timeline`),
  'GET /api/v1/organizations/:id/verify': ({ id }) => at(`/${id}/verify`),
  'GET /api/v1/events': () => ({ path: '/api/v1/events?after=end' }),
  'POST /api/v1/organizations/:id/flag-tickets': ({ id }) => at(`/${id}/flag-tickets`, { targetingKey: id }),
  'GET /api/v1/entitlement-changes': () => ({ path: '/api/v1/entitlement-changes' }),
};

/** The routes of `rightRequests` that take a body. */
export const jsonRoutes = (Object.keys(rightRequests) as Route[]).filter((route) => /^(POST|PUT|PATCH)/.test(route));

/** The event with which a payment provider reports that the organization has bought a plan. */
const assigned = (subject: string) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: 'a-shop',
  type: 'charter.plan.assigned',
  time: new Date().toISOString(),
  subject,
  data: { line: 'first', plan: 'essential' },
});

const id = () => randomUUID();
const at = (rest: string, body?: object): RouteRequest => ({
  path: `/api/v1/organizations${rest}`,
  ...(body && { body }),
});
