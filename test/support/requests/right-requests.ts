import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../sign-in/people';
import type { Route } from './routes';
import { type RouteRequest, rightRequests, type FullOrganization } from './full-organization';

/** The requests of people who are not signed in. Each request needs an XSRF token from one of our pages. */
const signInRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'POST /login': () => ({ path: '/login', body: { username: 'unknown', password: 'nothing' } }),
  'POST /forgot': () => ({ path: '/forgot', body: { email: 'unknown@people.example' } }),
  'POST /reset': () => ({ path: '/reset', body: { token: 'none', password: 'nothing' } }),
  'POST /invitation': () => ({ path: '/invitation', body: { token: 'none' } }),
  'POST /logout': () => ({ path: '/logout' }),
  'POST /email/confirm': () => ({ path: '/email/confirm', body: { token: 'none' } }),
};
export const signInRoutes = Object.keys(signInRequests) as Route[];

const id = () => randomUUID();

/** The requests of people about their own account. The caller's password is `PASSWORD` of `people.ts`. */
export const ownAccountRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /api/v1/me': () => ({ path: '/api/v1/me' }),
  'PATCH /api/v1/me': () => ({ path: '/api/v1/me', body: { name: 'Ada' } }),
  'POST /api/v1/me/email/confirm': () => ({ path: '/api/v1/me/email/confirm', body: { token: 'none' } }),
  'PUT /api/v1/me/password': () => ({
    path: '/api/v1/me/password',
    body: { current: PASSWORD, password: 'another long phrase of mine' },
  }),
  'GET /api/v1/me/sessions': () => ({ path: '/api/v1/me/sessions' }),
  'DELETE /api/v1/me/sessions/:id': () => ({ path: `/api/v1/me/sessions/${id()}` }),
  'POST /api/v1/me/sessions/end-others': () => ({
    path: '/api/v1/me/sessions/end-others',
    body: { password: PASSWORD },
  }),
  'GET /api/v1/me/activity': () => ({ path: '/api/v1/me/activity' }),
  'GET /api/v1/me/export': () => ({ path: '/api/v1/me/export' }),
  'POST /api/v1/me/organizations/:id/accept': () => ({ path: `/api/v1/me/organizations/${id()}/accept` }),
  'POST /api/v1/me/close': () => ({ path: '/api/v1/me/close', body: { password: PASSWORD } }),
};

/** The requests of operators. The accounts, API keys, quarantined messages and mails in the paths do not exist. */
export const operatorRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /api/v1/keys': () => ({ path: '/api/v1/keys' }),
  'POST /api/v1/keys': () => ({
    path: '/api/v1/keys',
    body: { name: 'ci', scopes: ['flags:read'], password: PASSWORD },
  }),
  'DELETE /api/v1/keys/:id': () => ({ path: `/api/v1/keys/${id()}` }),
  'GET /api/v1/accounts': () => ({ path: '/api/v1/accounts' }),
  'POST /api/v1/accounts/:id/disable': () => ({ path: `/api/v1/accounts/${id()}/disable` }),
  'POST /api/v1/accounts/:id/enable': () => ({ path: `/api/v1/accounts/${id()}/enable` }),
  'PUT /api/v1/accounts/:id/role': () => ({
    path: `/api/v1/accounts/${id()}/role`,
    body: { role: 'auditor', password: PASSWORD },
  }),
  'DELETE /api/v1/accounts/:id/sessions': () => ({ path: `/api/v1/accounts/${id()}/sessions` }),
  'POST /api/v1/accounts/:id/erase': () => ({ path: `/api/v1/accounts/${id()}/erase`, body: { password: PASSWORD } }),
  'POST /api/v1/catalogue/check': () => ({ path: '/api/v1/catalogue/check', body: { text: '{}' } }),
  'GET /api/v1/catalogue/terms': () => ({ path: '/api/v1/catalogue/terms' }),
  'GET /api/v1/billing/quarantine': () => ({ path: '/api/v1/billing/quarantine' }),
  'POST /api/v1/billing/quarantine/:id/replay': () => ({ path: '/api/v1/billing/quarantine/evt_none/replay' }),
  'POST /api/v1/billing/quarantine/:id/dismiss': () => ({
    path: '/api/v1/billing/quarantine/evt_none/dismiss',
    body: { reason: 'not ours' },
  }),
  'GET /api/v1/mails': () => ({ path: '/api/v1/mails' }),
  'POST /api/v1/mails/:id/retry': () => ({ path: `/api/v1/mails/${id()}/retry` }),
};

/** The requests of owners, auditors and operators about an organization. */
export const supervisorRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /api/v1/organizations/:id/readers': (here) => ({ path: `/api/v1/organizations/${here.id}/readers?limit=5` }),
};

/** The requests of owners and operators about e-mail domains. The specs of these requests start no DNS server. */
export const domainRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /api/v1/organizations/:id/verified-domains': (here) => ({
    path: `/api/v1/organizations/${here.id}/verified-domains`,
  }),
  'POST /api/v1/organizations/:id/verified-domains': (here) => ({
    path: `/api/v1/organizations/${here.id}/verified-domains`,
    body: { domain: 'acme-lakeside.com', password: PASSWORD },
  }),
  'POST /api/v1/organizations/:id/verified-domains/:domain/check': (here) => ({
    path: `/api/v1/organizations/${here.id}/verified-domains/unclaimed.com/check`,
    body: { password: PASSWORD },
  }),
  'PATCH /api/v1/organizations/:id/verified-domains/:domain': (here) => ({
    path: `/api/v1/organizations/${here.id}/verified-domains/unclaimed.com`,
    body: { managed: true, password: PASSWORD },
  }),
  'DELETE /api/v1/organizations/:id/verified-domains/:domain': (here) => ({
    path: `/api/v1/organizations/${here.id}/verified-domains/unclaimed.com`,
  }),
};

/**
 * The requests of owners who buy. The specs that use this list start Charter without a payment provider. The specs in
 * `test/billing/checkout` start Charter with a stand-in for Stripe, and test these requests.
 */
export const buyerRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'POST /api/v1/organizations/:id/checkout': (here) => ({
    path: `/api/v1/organizations/${here.id}/checkout`,
    body: { commands: [{ type: 'AssignPlan', data: { line: 'second', plan: 'solo' } }], shown: 'a'.repeat(64) },
  }),
  'GET /api/v1/organizations/:id/checkout/:session': (here) => ({
    path: `/api/v1/organizations/${here.id}/checkout/cs_none`,
  }),
};

/** The requests of payment providers. In production the provider signs these requests. */
const webhookRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'POST /webhooks/stripe': () => ({ path: '/webhooks/stripe', body: { object: 'event' } }),
};

/** The requests of programs that evaluate flags. */
const flagRequests: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  'GET /ofrep/v1/event-streams': () => ({ path: '/ofrep/v1/event-streams?ticket=none' }),
  'POST /ofrep/v1/evaluate/flags': (here) => ({
    path: '/ofrep/v1/evaluate/flags',
    body: { context: { targetingKey: here.id } },
  }),
  'POST /ofrep/v1/evaluate/flags/:key': (here) => ({
    path: '/ofrep/v1/evaluate/flags/feedback',
    body: { context: { targetingKey: here.id } },
  }),
};

/** A valid request for each route in the lists of this file and in `rightRequests`. */
export const everyRightRequest: Readonly<Record<Route, (organization: FullOrganization) => RouteRequest>> = {
  ...rightRequests,
  ...signInRequests,
  ...ownAccountRequests,
  ...operatorRequests,
  ...domainRequests,
  ...supervisorRequests,
  ...buyerRequests,
  ...webhookRequests,
  ...flagRequests,
};
