import type { OrganizationChange } from '../api';
import type { KnownCommand, KnownData } from '../draft/address/draft-address';

const entriesOf = {
  site: '/sites',
  qualityAssurance: '/quality-assurance/domains',
  webAnalytics: '/web-analytics/domains',
};
const added = (path: string, data: object): OrganizationChange => ({ method: 'POST', path, ask: () => data });
const changed = (path: string, data: object): OrganizationChange => ({ method: 'PATCH', path, ask: () => data });
const stored = (path: string, data: object): OrganizationChange => ({ method: 'PUT', path, ask: () => data });
const removed = (path: string): OrganizationChange => ({ method: 'DELETE', path });

/** The request of each command that a page can execute at once, through the command's own route. */
const ownRoutes = {
  RenameOrganization: (data) => changed('', data),
  CloseOrganization: (data) => added('/close', data),
  ReopenOrganization: (data) => added('/reopen', data),
  EnableProduct: () => stored('/product', { enabled: true }),
  DisableProduct: () => stored('/product', { enabled: false }),
  ChangeParallelUse: (data) => stored('/parallel-use', data),
  ChangeRole: ({ member, ...data }) => changed(`/members/${member}`, data),
  FlagProductUser: ({ member }) => changed(`/members/${member}`, { productUser: true }),
  UnflagProductUser: ({ member }) => changed(`/members/${member}`, { productUser: false }),
  RemoveMember: ({ member }) => removed(`/members/${member}`),
  AddSite: (data) => added(entriesOf.site, data),
  RenameSite: ({ site, ...data }) => changed(`${entriesOf.site}/${site}`, data),
  ChangeSiteFeatures: ({ site, ...data }) => changed(`${entriesOf.site}/${site}`, data),
  RemoveSite: ({ site }) => removed(`${entriesOf.site}/${site}`),
  AddQualityAssuranceDomain: (data) => added(entriesOf.qualityAssurance, data),
  RemoveQualityAssuranceDomain: ({ domain }) => removed(`${entriesOf.qualityAssurance}/${domain}`),
  AddWebAnalyticsDomain: (data) => added(entriesOf.webAnalytics, data),
  RemoveWebAnalyticsDomain: ({ domain }) => removed(`${entriesOf.webAnalytics}/${domain}`),
} as const satisfies { readonly [Type in KnownCommand['type']]?: (data: KnownData<Type>) => OrganizationChange };

/** A command that a page can execute at once, or add to a draft. */
export type DirectCommand = {
  [Type in keyof typeof ownRoutes]: Readonly<{ type: Type; data: KnownData<Type> }>;
}[keyof typeof ownRoutes];

/** The request that executes the command at once. */
export const requestOf = ({ type, data }: DirectCommand): OrganizationChange =>
  (ownRoutes[type] as (data: object) => OrganizationChange)(data);
