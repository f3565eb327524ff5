import type { Scope } from '@charter/identity';
import type { Route } from './routes';

/** The scope that lets an API key use a route (`decisions.md`, Who may do what). */
export const row = {
  read: 'organizations:read', // an organization, its entitlements and recipients; previews; the list of organizations
  write: 'organizations:write', // the name, members, sites, domains, product-user flags, parallel use
  operate: 'organizations:operate', // founding, closing, reopening; product, limits, override, traffic
  audit: 'audit:read', // asOf, valid, history, diff, verify and checkpoints; the feed of changes
  flags: 'flags:read', // the flags, and the stream of changed entitlements
  billing: 'billing:write', // plan, add-ons, service level, billing account, billing events, reconciliation
} as const;
export type Allowed =
  | Scope
  | 'operators, and no key'
  | 'owners, auditors and operators, and no key'
  | 'owners, and no key'
  | 'owners and operators, and no key'
  | 'people about themselves, and no key'
  | 'open to every caller'
  | 'open to our own pages'
  | 'nothing is there'
  | 'leads to the sign-in page'
  | 'each command by its own row'
  | 'the scope for flags, on the routes of OFREP'; // `test/flags` tests who may use these routes
export const table: Readonly<Record<Route, Allowed>> = {
  'GET /api/v1/catalogue': row.read,
  'GET /api/v1/organizations': row.read,
  'POST /api/v1/organizations': row.operate,
  'GET /api/v1/organizations/:id': row.read,
  'GET /api/v1/organizations/:id/standing': row.read,
  'POST /api/v1/organizations/:id/members/search': row.read,
  'GET /api/v1/organizations/:id/sites': row.read,
  'GET /api/v1/organizations/:id/sites/:site': row.read,
  'PATCH /api/v1/organizations/:id': row.write,
  'POST /api/v1/organizations/:id/close': row.operate,
  'POST /api/v1/organizations/:id/reopen': row.operate,
  'GET /api/v1/organizations/:id/entitlements': row.read,
  'GET /api/v1/organizations/:id/entitlements/:key': row.read,
  'GET /api/v1/organizations/:id/notification-recipients': row.read,
  'PUT /api/v1/organizations/:id/plan': row.billing,
  'DELETE /api/v1/organizations/:id/plan/:line': row.billing,
  'POST /api/v1/organizations/:id/plan/preview': row.read,
  'POST /api/v1/organizations/:id/add-ons': row.billing,
  'PUT /api/v1/organizations/:id/add-ons/:purchase': row.billing,
  'DELETE /api/v1/organizations/:id/add-ons/:purchase': row.billing,
  'PUT /api/v1/organizations/:id/service-level': row.billing,
  'PUT /api/v1/organizations/:id/product': row.operate,
  'PUT /api/v1/organizations/:id/parallel-use': row.write,
  'PUT /api/v1/organizations/:id/limits': row.operate,
  'PUT /api/v1/organizations/:id/limits/override': row.operate,
  'DELETE /api/v1/organizations/:id/limits/override': row.operate,
  'GET /api/v1/organizations/:id/members': row.read,
  'POST /api/v1/organizations/:id/members': row.write,
  'PATCH /api/v1/organizations/:id/members/:user': row.write,
  'DELETE /api/v1/organizations/:id/members/:user': row.write,
  'POST /api/v1/organizations/:id/sites': row.write,
  'PATCH /api/v1/organizations/:id/sites/:site': row.write,
  'DELETE /api/v1/organizations/:id/sites/:site': row.write,
  'POST /api/v1/organizations/:id/quality-assurance/domains': row.write,
  'DELETE /api/v1/organizations/:id/quality-assurance/domains/:domain': row.write,
  'POST /api/v1/organizations/:id/web-analytics/domains': row.write,
  'DELETE /api/v1/organizations/:id/web-analytics/domains/:domain': row.write,
  'POST /api/v1/organizations/:id/traffic': row.operate,
  'GET /api/v1/organizations/:id/single-sign-on': row.write,
  'PUT /api/v1/organizations/:id/single-sign-on': row.write,
  'DELETE /api/v1/organizations/:id/single-sign-on': row.write,
  'GET /api/v1/organizations/:id/verified-domains': 'owners and operators, and no key',
  'POST /api/v1/organizations/:id/verified-domains': 'owners and operators, and no key',
  'POST /api/v1/organizations/:id/verified-domains/:domain/check': 'owners and operators, and no key',
  'PATCH /api/v1/organizations/:id/verified-domains/:domain': 'owners and operators, and no key',
  'DELETE /api/v1/organizations/:id/verified-domains/:domain': 'owners and operators, and no key',
  'POST /api/v1/organizations/:id/preview': row.read,
  // the request of these specs contains the command RenameOrganization
  'POST /api/v1/organizations/:id/commands': 'each command by its own row',
  'POST /api/v1/organizations/:id/undo': row.audit,
  'GET /api/v1/organizations/:id/export': row.audit,
  'GET /api/v1/organizations/:id/events': row.audit,
  'GET /api/v1/organizations/:id/diff': row.audit,
  'GET /api/v1/organizations/:id/steps': row.audit,
  'POST /api/v1/organizations/:id/names': row.audit,
  'GET /api/v1/organizations/:id/checkpoint': row.audit,
  'GET /api/v1/organizations/:id/readers': 'owners, auditors and operators, and no key',
  'GET /api/v1/organizations/:id/changes': row.audit,
  'GET /api/v1/organizations/:id/timeline': row.audit,
  'GET /api/v1/organizations/:id/verify': row.audit,
  'GET /api/v1/events': row.audit,
  'GET /api/v1/entitlement-changes': row.flags,
  'PUT /api/v1/organizations/:id/billing-account': row.billing,
  'GET /api/v1/organizations/:id/billing/reconciliation': row.billing,
  'POST /api/v1/organizations/:id/checkout': 'owners, and no key',
  'GET /api/v1/organizations/:id/checkout/:session': 'owners, and no key',
  'POST /api/v1/billing/events': row.billing,
  'GET /ofrep/v1/event-streams': 'the scope for flags, on the routes of OFREP',
  'POST /api/v1/organizations/:id/flag-tickets': row.flags,
  'POST /ofrep/v1/evaluate/flags': 'the scope for flags, on the routes of OFREP',
  'POST /ofrep/v1/evaluate/flags/:key': 'the scope for flags, on the routes of OFREP',
  'GET /api/v1/me': 'people about themselves, and no key',
  'PATCH /api/v1/me': 'people about themselves, and no key',
  'POST /api/v1/me/email/confirm': 'people about themselves, and no key',
  'PUT /api/v1/me/password': 'people about themselves, and no key',
  'GET /api/v1/me/sessions': 'people about themselves, and no key',
  'DELETE /api/v1/me/sessions/:id': 'people about themselves, and no key',
  'POST /api/v1/me/sessions/end-others': 'people about themselves, and no key',
  'POST /api/v1/me/organizations/:id/accept': 'people about themselves, and no key',
  'GET /api/v1/me/activity': 'people about themselves, and no key',
  'GET /api/v1/me/export': 'people about themselves, and no key',
  'POST /api/v1/me/close': 'people about themselves, and no key',
  'GET /api/v1/keys': 'operators, and no key',
  'POST /api/v1/keys': 'operators, and no key',
  'DELETE /api/v1/keys/:id': 'operators, and no key',
  'GET /api/v1/accounts': 'operators, and no key',
  'POST /api/v1/accounts/:id/disable': 'operators, and no key',
  'POST /api/v1/accounts/:id/enable': 'operators, and no key',
  'PUT /api/v1/accounts/:id/role': 'operators, and no key',
  'DELETE /api/v1/accounts/:id/sessions': 'operators, and no key',
  'POST /api/v1/accounts/:id/erase': 'operators, and no key',
  'POST /api/v1/catalogue/check': 'operators, and no key',
  'GET /api/v1/catalogue/terms': 'operators, and no key',
  'GET /api/v1/billing/quarantine': 'operators, and no key',
  'POST /api/v1/billing/quarantine/:id/replay': 'operators, and no key',
  'POST /api/v1/billing/quarantine/:id/dismiss': 'operators, and no key',
  'GET /api/v1/mails': 'operators, and no key',
  'POST /api/v1/mails/:id/retry': 'operators, and no key',
  'POST /webhooks/stripe': 'nothing is there', // the route exists only with STRIPE_WEBHOOK_SECRETS
  'GET /dev/mail': 'nothing is there', // the route exists only in demo mode
  'GET /dev/mail/:id': 'nothing is there',
  'GET /dev/google': 'nothing is there',
  'GET /dev/google/as/:account': 'nothing is there',
  'POST /login': 'open to our own pages',
  'POST /forgot': 'open to our own pages',
  'POST /reset': 'open to our own pages',
  'POST /invitation': 'open to our own pages',
  'POST /logout': 'open to our own pages',
  'POST /email/confirm': 'open to our own pages',
  'GET /auth/go/callback': 'leads to the sign-in page',
  'GET /auth/go{/*token}': 'leads to the sign-in page',
  'GET /auth/sso/callback': 'leads to the sign-in page',
  'GET /auth/sso/domains/:domain': 'leads to the sign-in page',
  'GET /auth/sso/:organization': 'leads to the sign-in page',
  'GET /': 'open to every caller',
  'GET /verify': 'open to every caller',
  'GET /forgot': 'open to every caller',
  'GET /login{/:error}': 'open to every caller',
  'GET /problems{/:reason}': 'open to every caller',
  'GET /reset{/:token}': 'open to every caller',
  'GET /invitation{/:token}': 'open to every caller',
  'GET /email/confirm{/:token}': 'open to every caller',
  'GET /org{/*place}': 'open to every caller', // a signed-out person is redirected to the sign-in page
  'GET /me{/*place}': 'open to every caller',
  'GET /assets/*file': 'nothing is there', // the specs request no existing file
  'GET /charter.css': 'open to every caller',
  'GET /favicon.ico': 'open to every caller',
  'GET /health/live': 'open to every caller',
  'GET /health/ready': 'open to every caller',
  'GET /.well-known/charter-checkpoint': 'nothing is there', // the specs have signed no checkpoint
  'GET /.well-known/charter-checkpoint-key': 'open to every caller',
  'GET /metrics': 'open to every caller', // only for requests from this machine, such as the requests of these specs
  'GET /api/docs': 'open to every caller',
  'GET /api/openapi.json': 'open to every caller',
};
