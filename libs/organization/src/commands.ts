import type { Message } from '@charter/decider';
import { z } from 'zod';
import type { DecisionContext, Decision } from './decision';
import {
  AddDomain,
  addQualityAssuranceDomain,
  addWebAnalyticsDomain,
  RemoveDomain,
  removeQualityAssuranceDomain,
  removeWebAnalyticsDomain,
} from './decisions/domains';
import { AddMember, addMember } from './decisions/add-member';
import { AddSite, addSite } from './decisions/add-site';
import { AssignPlan, assignPlan } from './decisions/assign-plan';
import { AssignServiceLevel, assignServiceLevel } from './decisions/assign-service-level';
import { CancelAddOn, cancelAddOn } from './decisions/cancel-add-on';
import { ChangeParallelUse, changeParallelUse } from './decisions/change-parallel-use';
import { ChangeQuantity, changeQuantity } from './decisions/change-quantity';
import { ChangeRole, changeRole } from './decisions/change-role';
import { ChangeSiteFeatures, changeSiteFeatures } from './decisions/change-site-features';
import { CloseOrganization, closeOrganization } from './decisions/close-organization';
import { ConfigureLimits, configureLimits } from './decisions/configure-limits';
import { ConfigureSingleSignOn, configureSingleSignOn } from './decisions/configure-single-sign-on';
import { DisableProduct, disableProduct } from './decisions/disable-product';
import {
  ChangeEmailDomainSettings,
  changeEmailDomainSettings,
  claimEmailDomain,
  EmailDomain,
  loseEmailDomain,
  proveEmailDomain,
  releaseEmailDomain,
} from './decisions/email-domains';
import { EnableProduct, enableProduct } from './decisions/enable-product';
import { EndPlan, endPlan } from './decisions/end-plan';
import { FlagProductUser, flagProductUser } from './decisions/flag-product-user';
import { FoundOrganization, foundOrganization } from './decisions/found-organization';
import { LinkBillingAccount, linkBillingAccount } from './decisions/link-billing-account';
import { OverrideHardLimits, overrideHardLimits } from './decisions/override-hard-limits';
import { PurchaseAddOn, purchaseAddOn } from './decisions/purchase-add-on';
import { RemoveMember, removeMember } from './decisions/remove-member';
import { RemoveSingleSignOn, removeSingleSignOn } from './decisions/remove-single-sign-on';
import { RemoveSite, removeSite } from './decisions/remove-site';
import { RenameOrganization, renameOrganization } from './decisions/rename-organization';
import { RenameSite, renameSite } from './decisions/rename-site';
import { ReopenOrganization, reopenOrganization } from './decisions/reopen-organization';
import { ReportTraffic, reportTraffic } from './decisions/report-traffic';
import { RestoreHardLimits, restoreHardLimits } from './decisions/restore-hard-limits';
import { UnflagProductUser, unflagProductUser } from './decisions/unflag-product-user';
import { each, keysOf } from './each';
import type { Organization } from './state';
import { domainOwners, operators, owners, sellers, stewards } from './permission';
import { isTermsOf } from './sales/named-terms';
import { type List, lists } from './terms';

/** One row for each command: the roles that may execute the command, the schema of its data, and its rule. */
const commandTable = {
  FoundOrganization: row(operators, FoundOrganization, foundOrganization, { ownRouteOnly: true }),
  RenameOrganization: row(stewards, RenameOrganization, renameOrganization, { sets: 'name' }),
  CloseOrganization: row(operators, CloseOrganization, closeOrganization, { closed: 'also when closed' }),
  ReopenOrganization: row(operators, ReopenOrganization, reopenOrganization, { closed: 'also when closed' }),
  AssignPlan: row(sellers, AssignPlan, assignPlan, { closed: 'billing when closed' }),
  EndPlan: row(sellers, EndPlan, endPlan, { closed: 'billing when closed' }),
  PurchaseAddOn: row(sellers, PurchaseAddOn, purchaseAddOn, { closed: 'billing when closed', makes: 'purchase' }),
  ChangeQuantity: row(sellers, ChangeQuantity, changeQuantity, { closed: 'billing when closed' }),
  CancelAddOn: row(sellers, CancelAddOn, cancelAddOn, { closed: 'billing when closed' }),
  AssignServiceLevel: row(sellers, AssignServiceLevel, assignServiceLevel),
  EnableProduct: row(operators, EnableProduct, enableProduct),
  DisableProduct: row(operators, DisableProduct, disableProduct),
  ChangeParallelUse: row(stewards, ChangeParallelUse, changeParallelUse, { sets: 'parallelUse' }),
  ConfigureLimits: row(operators, ConfigureLimits, configureLimits),
  OverrideHardLimits: row(operators, OverrideHardLimits, overrideHardLimits),
  RestoreHardLimits: row(operators, RestoreHardLimits, restoreHardLimits, { closed: 'also when closed' }),
  AddMember: row(stewards, AddMember, addMember, { makes: 'member', adds: 'members' }),
  ChangeRole: row(stewards, ChangeRole, changeRole),
  RemoveMember: row(stewards, RemoveMember, removeMember, { removes: 'members' }),
  FlagProductUser: row(stewards, FlagProductUser, flagProductUser),
  UnflagProductUser: row(stewards, UnflagProductUser, unflagProductUser),
  AddSite: row(stewards, AddSite, addSite, { makes: 'site', adds: 'sites' }),
  RenameSite: row(stewards, RenameSite, renameSite),
  ChangeSiteFeatures: row(stewards, ChangeSiteFeatures, changeSiteFeatures),
  RemoveSite: row(stewards, RemoveSite, removeSite, { removes: 'sites' }),
  AddQualityAssuranceDomain: row(stewards, AddDomain, addQualityAssuranceDomain, {
    makes: 'domain',
    adds: 'qualityAssurance',
  }),
  RemoveQualityAssuranceDomain: row(stewards, RemoveDomain, removeQualityAssuranceDomain, {
    removes: 'qualityAssurance',
  }),
  AddWebAnalyticsDomain: row(stewards, AddDomain, addWebAnalyticsDomain, { makes: 'domain', adds: 'webAnalytics' }),
  RemoveWebAnalyticsDomain: row(stewards, RemoveDomain, removeWebAnalyticsDomain, { removes: 'webAnalytics' }),
  ReportTraffic: row(operators, ReportTraffic, reportTraffic, { closed: 'also when closed' }),
  LinkBillingAccount: row(sellers, LinkBillingAccount, linkBillingAccount, { ownRouteOnly: true }),
  ConfigureSingleSignOn: row(owners, ConfigureSingleSignOn, configureSingleSignOn, { ownRouteOnly: true }),
  RemoveSingleSignOn: row(owners, RemoveSingleSignOn, removeSingleSignOn, { ownRouteOnly: true }),
  ClaimEmailDomain: row(domainOwners, EmailDomain, claimEmailDomain, { ownRouteOnly: true }),
  ProveEmailDomain: row(domainOwners, EmailDomain, proveEmailDomain, { ownRouteOnly: true }),
  LoseEmailDomain: row(domainOwners, EmailDomain, loseEmailDomain, { ownRouteOnly: true, closed: 'also when closed' }),
  ReleaseEmailDomain: row(domainOwners, EmailDomain, releaseEmailDomain, {
    ownRouteOnly: true,
    closed: 'also when closed',
  }),
  ChangeEmailDomainSettings: row(domainOwners, ChangeEmailDomainSettings, changeEmailDomainSettings, {
    ownRouteOnly: true,
  }),
};

/** Options that only the rows of some commands have. */
type Options<Data> = Readonly<{
  /**
   * Present if a closed organization still accepts the command. `billing when closed`: the organization then accepts
   * the command only from billing (`decisions.md` 27).
   */
  closed?: 'billing when closed' | 'also when closed';
  /** Present if the command adds an entry: the field of the command's data that contains the entry's id. */
  makes?: keyof Data;
  /** The list to which the command adds an entry. An undo adds removed entries of this list with the command. */
  adds?: List;
  /** The list from which the command removes an entry. An undo removes added entries of this list with the command. */
  removes?: List;
  /**
   * The field of the organization to which the command gives a value. The command's data contain only a field of the
   * same name, with the value. An undo restores earlier values of the field with the command.
   */
  sets?: keyof Data & keyof Organization;
  /**
   * True if the command also affects data outside the organization's stream. The routes `preview` and `commands` refuse
   * a command that affects other data (`api.md`).
   */
  ownRouteOnly?: true;
}>;
type CommandRow<Data, Schema = z.ZodType<object, object>> = Options<Data> &
  Readonly<{
    may: readonly string[];
    schema: Schema;
    decide: (command: Data, organization: Organization, context: DecisionContext) => Decision;
  }>;

function row<
  Schema extends z.ZodType<object, object>,
  Data extends z.infer<Schema>,
  Own extends Options<Data> = object,
>(
  may: readonly string[],
  schema: Schema,
  decide: (command: Data, organization: Organization, context: DecisionContext) => Decision,
  options?: Own,
): CommandRow<Data, Schema> & Own {
  return { may, schema, decide, ...(options as Own) };
}

type Table = typeof commandTable;
export type CommandType = keyof Table;
type DecidedData = { [Type in CommandType]: Readonly<Parameters<Table[Type]['decide']>[0]> };

/** A command in the form that its rule gets: the data of a command that adds an entry contains the entry's id. */
export type CommandOf<Type extends CommandType> = { [T in Type]: Readonly<{ type: T; data: DecidedData[T] }> }[Type];
export type OrganizationCommand = CommandOf<CommandType>;

/** The rows of the table, typed with the data of their commands. */
export const commandRows: { readonly [Type in CommandType]: CommandRow<DecidedData[Type]> } = commandTable;

const commandTypes: readonly CommandType[] = keysOf(commandTable);

/** The commands whose rows have a given option. */
export type CommandsWith<Option extends string> = {
  [Type in CommandType]: Table[Type] extends Readonly<Record<Option, unknown>> ? Type : never;
}[CommandType];
/** The values that the rows have for this option, such as the lists to which commands add entries. */
export type OptionValues<Option extends string> = {
  [Type in CommandType]: Table[Type] extends Readonly<Record<Option, infer Value>> ? Value : never;
}[CommandType];

/** The commands that give a field of the organization a value, with the names of these fields. */
export const setters = commandTypes.flatMap((type) => {
  const { sets } = commandRows[type];
  return sets === undefined ? [] : [{ type, sets }];
});

/** The commands that add and remove an entry of each list, for the lists that have both commands. */
export const listCommands = lists.flatMap((list) => {
  const [add] = commandTypes.filter((type) => commandRows[type].adds === list);
  const [remove] = commandTypes.filter((type) => commandRows[type].removes === list);
  return add && remove ? [{ list, add, remove }] : [];
});

/** The schema of a command's data. */
export const schemaOf = <Type extends CommandType>(type: Type): Table[Type]['schema'] => commandTable[type].schema;

/** The data of a command as a caller sends it; the id of a new entry may be missing. */
export type CommandData<Type extends CommandType> = z.infer<Table[Type]['schema']>;

/** The roles that may execute each command (`decisions.md`, Who may do what), for documentation and specs. */
export const permissions = each(commandTypes, (type) => commandRows[type].may);

/**
 * The commands that the routes `preview` and `commands` accept, because these commands affect only one organization's
 * stream (`api.md`).
 */
export const publicCommands = commandTypes.filter((type) => !commandRows[type].ownRouteOnly);

/** A command as a caller sends it, parsed by the schema of its type. The id of a new entry may be missing. */
export type CommandInput = { [Type in CommandType]: Message<Type, CommandData<Type>> }[CommandType];
export const CommandInput = commandInput();

function commandInput(): z.ZodType<CommandInput, Message> {
  const [first, ...others] = publicCommands.map((type) =>
    z.strictObject({ type: z.literal(type), data: commandRows[type].schema.prefault({}) }),
  );
  // Each schema pairs a type with the data of that type. An array type cannot express pairs of a type and its data.
  return z.discriminatedUnion('type', [first!, ...others]) as z.ZodType<CommandInput, Message>;
}

/** Adds the id of a new entry if the caller sent none. `newId` must be the same for each retry of the command. */
export function withNewId({ type, data }: CommandInput, newId: string): OrganizationCommand {
  const field = commandRows[type].makes;
  const nameless = field !== undefined && !Object.hasOwn(data, field);
  return { type, data: nameless ? { ...data, [field]: newId } : data } as OrganizationCommand; // the id is set
}

/** The id of the entry that a command adds; undefined if the command adds no entry. */
export function createdIdOf<Type extends CommandType>({ type, data }: CommandOf<Type>): string | undefined {
  const { makes } = commandRows[type];
  return makes === undefined ? undefined : String(data[makes]);
}

/**
 * Whether a command names the terms of an earlier sale. A preview of the command shows the terms of the earlier sale.
 */
export function namesEarlierSale({ type, data }: OrganizationCommand): boolean {
  const named = type === 'AssignPlan' ? data.terms : type === 'PurchaseAddOn' ? data.grants : undefined;
  return typeof named === 'object' && isTermsOf(named);
}
