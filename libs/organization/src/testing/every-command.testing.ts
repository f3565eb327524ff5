import type { CommandType, OrganizationCommand } from '../commands';
import { ada, shop } from './organization.testing';

type DataOf<T extends CommandType> = Extract<OrganizationCommand, { type: T }>['data'];

/** One command of each type, with only its required data. If a type is missing, this file does not compile. */
export const everyCommand: { readonly [T in CommandType]: DataOf<T> } = {
  FoundOrganization: { name: 'Acme' },
  RenameOrganization: { name: 'Acme' },
  CloseOrganization: { reason: 'moved away' },
  ReopenOrganization: { reason: 'came back' },
  AssignPlan: { line: 'second', plan: 'solo' },
  EndPlan: { line: 'second' },
  PurchaseAddOn: { addOn: 'feedback', quantity: 1, purchase: 'p-1' },
  ChangeQuantity: { purchase: 'p-1', quantity: 2 },
  CancelAddOn: { purchase: 'p-1' },
  AssignServiceLevel: { serviceLevel: 'assisted' },
  EnableProduct: {},
  DisableProduct: {},
  ChangeParallelUse: { parallelUse: true },
  ConfigureLimits: { users: 7 },
  OverrideHardLimits: { reason: 'a favour' },
  RestoreHardLimits: { reason: 'by hand' },
  AddMember: { member: ada, role: 'member' },
  ChangeRole: { member: ada, role: 'admin' },
  RemoveMember: { member: ada },
  FlagProductUser: { member: ada },
  UnflagProductUser: { member: ada },
  AddSite: { site: shop, hostname: 'shop.test' },
  RenameSite: { site: shop, name: 'Shop' },
  ChangeSiteFeatures: { site: shop, features: { logo: true } },
  RemoveSite: { site: shop },
  AddQualityAssuranceDomain: { domain: shop, hostname: 'qa.test' },
  RemoveQualityAssuranceDomain: { domain: shop },
  AddWebAnalyticsDomain: { domain: shop, hostname: 'wa.test' },
  RemoveWebAnalyticsDomain: { domain: shop },
  ReportTraffic: { month: '2026-11', views: 1 },
  LinkBillingAccount: { provider: 'stripe', customer: 'cus_1' },
  ConfigureSingleSignOn: { issuer: 'https://login.acme.test', clientId: 'charter' },
  RemoveSingleSignOn: {},
  ClaimEmailDomain: { domain: 'acme.test' },
  ProveEmailDomain: { domain: 'acme.test' },
  LoseEmailDomain: { domain: 'acme.test' },
  ReleaseEmailDomain: { domain: 'acme.test' },
  ChangeEmailDomainSettings: { domain: 'acme.test' },
};

/**
 * The commands of `everyCommand` as a list. The cast is correct, because `everyCommand` pairs each type with the data
 * of that type.
 */
export const commands = Object.entries(everyCommand).map(([type, data]) => ({ type, data }) as OrganizationCommand);
