import { type Asked, type Decider, type Message, refuse } from '@charter/decider';
import { z } from 'zod';
import type { Catalogue } from './catalogue';
import type { Circumstances, Decision, Reason } from './decision';
import { addQualityAssuranceDomain, AddDomain, addWebAnalyticsDomain } from './decisions/add-domain';
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
import { EnableProduct, enableProduct } from './decisions/enable-product';
import { EndPlan, endPlan } from './decisions/end-plan';
import { FlagProductUser, flagProductUser } from './decisions/flag-product-user';
import { FoundOrganization, foundOrganization } from './decisions/found-organization';
import { LinkBillingAccount, linkBillingAccount } from './decisions/link-billing-account';
import { OverrideHardLimits, overrideHardLimits } from './decisions/override-hard-limits';
import { PurchaseAddOn, purchaseAddOn } from './decisions/purchase-add-on';
import { RemoveDomain, removeQualityAssuranceDomain, removeWebAnalyticsDomain } from './decisions/remove-domain';
import { RemoveMember, removeMember } from './decisions/remove-member';
import { RemoveSingleSignOn, removeSingleSignOn } from './decisions/remove-single-sign-on';
import { RemoveSite, removeSite } from './decisions/remove-site';
import { RenameOrganization, renameOrganization } from './decisions/rename-organization';
import { RenameSite, renameSite } from './decisions/rename-site';
import { ReopenOrganization, reopenOrganization } from './decisions/reopen-organization';
import { ReportTraffic, reportTraffic } from './decisions/report-traffic';
import { RestoreHardLimits, restoreHardLimits } from './decisions/restore-hard-limits';
import { UnflagProductUser, unflagProductUser } from './decisions/unflag-product-user';
import { evolve, type OrganizationEvent } from './events';
import { initial, type Organization, type OrganizationDraft } from './organization';
import { isAny, operators, owners, sellers, type Standing, standingOf, stewards } from './permission';

/** Everything that can be asked: who may ask it, what it says, and the rule that answers. */
const rules = {
  FoundOrganization: rule(operators, FoundOrganization, foundOrganization),
  RenameOrganization: rule(stewards, RenameOrganization, renameOrganization),
  CloseOrganization: rule(operators, CloseOrganization, closeOrganization, 'also when closed'),
  ReopenOrganization: rule(operators, ReopenOrganization, reopenOrganization, 'also when closed'),
  AssignPlan: rule(sellers, AssignPlan, assignPlan, 'billing when closed'),
  EndPlan: rule(sellers, EndPlan, endPlan, 'billing when closed'),
  PurchaseAddOn: rule(sellers, PurchaseAddOn, purchaseAddOn, 'billing when closed'),
  ChangeQuantity: rule(sellers, ChangeQuantity, changeQuantity, 'billing when closed'),
  CancelAddOn: rule(sellers, CancelAddOn, cancelAddOn, 'billing when closed'),
  AssignServiceLevel: rule(sellers, AssignServiceLevel, assignServiceLevel),
  EnableProduct: rule(operators, EnableProduct, enableProduct),
  DisableProduct: rule(operators, DisableProduct, disableProduct),
  ChangeParallelUse: rule(stewards, ChangeParallelUse, changeParallelUse),
  ConfigureLimits: rule(operators, ConfigureLimits, configureLimits),
  OverrideHardLimits: rule(operators, OverrideHardLimits, overrideHardLimits),
  RestoreHardLimits: rule(operators, RestoreHardLimits, restoreHardLimits, 'also when closed'),
  AddMember: rule(stewards, AddMember, addMember),
  ChangeRole: rule(stewards, ChangeRole, changeRole),
  RemoveMember: rule(stewards, RemoveMember, removeMember),
  FlagProductUser: rule(stewards, FlagProductUser, flagProductUser),
  UnflagProductUser: rule(stewards, UnflagProductUser, unflagProductUser),
  AddSite: rule(stewards, AddSite, addSite),
  RenameSite: rule(stewards, RenameSite, renameSite),
  ChangeSiteFeatures: rule(stewards, ChangeSiteFeatures, changeSiteFeatures),
  RemoveSite: rule(stewards, RemoveSite, removeSite),
  AddQualityAssuranceDomain: rule(stewards, AddDomain, addQualityAssuranceDomain),
  RemoveQualityAssuranceDomain: rule(stewards, RemoveDomain, removeQualityAssuranceDomain),
  AddWebAnalyticsDomain: rule(stewards, AddDomain, addWebAnalyticsDomain),
  RemoveWebAnalyticsDomain: rule(stewards, RemoveDomain, removeWebAnalyticsDomain),
  ReportTraffic: rule(operators, ReportTraffic, reportTraffic, 'also when closed'),
  LinkBillingAccount: rule(sellers, LinkBillingAccount, linkBillingAccount),
  ConfigureSingleSignOn: rule(owners, ConfigureSingleSignOn, configureSingleSignOn),
  RemoveSingleSignOn: rule(owners, RemoveSingleSignOn, removeSingleSignOn),
};

type Rules = typeof rules;
export type CommandType = keyof Rules;
export type OrganizationCommand = { [T in CommandType]: Message<T, Parameters<Rules[T]['decide']>[0]> }[CommandType];
export type OrganizationDecider = Decider<OrganizationDraft, OrganizationCommand, OrganizationEvent, Reason>;

/** The rules of organizations, selling from this catalogue. */
export const organizationDecider = (catalogue: Catalogue): OrganizationDecider => ({
  initial,
  evolve,
  decide({ type, data }, organization, asked) {
    const { may, decide, closed } = rules[type];
    const standing = standingOf(asked.actor, organization);

    // A stranger does not even learn that it exists.
    if (type !== 'FoundOrganization' && (!organization.name || standing.length === 0)) return noSuchOrganization;
    if (!isAny(may, standing)) return refuse('not-allowed', `This takes one of: ${may.join(', ')}.`);
    if (organization.closed && !countsWhenClosed(closed, asked))
      return refuse('organization-closed', 'The organization is closed. Reopen it first.');
    const answer: (...known: never[]) => Decision = decide; // the table pairs each type with its data
    return answer(data as never, organization as never, circumstancesOf(asked, standing, catalogue) as never);
  },
});

/** The commands of `preview` and `commands`: those that touch one organization's stream and nothing else (`api.md`). */
const ownRoutesOnly = [
  'FoundOrganization',
  'LinkBillingAccount',
  'ConfigureSingleSignOn',
  'RemoveSingleSignOn',
] as const;
export const publicCommands = (Object.keys(rules) as CommandType[]).filter(
  (type) => !(ownRoutesOnly as readonly string[]).includes(type),
);

/** A command as it comes from outside, parsed by the schema of its type. What it makes may still lack an id. */
export const Spoken = z.discriminatedUnion(
  'type',
  publicCommands.map((type) =>
    z.strictObject({ type: z.literal(type), data: (rules[type].schema as z.ZodType<object, object>).prefault({}) }),
  ) as never,
) as unknown as z.ZodType<Spoken, Message>;
export type Spoken = { [T in CommandType]: Message<T, z.infer<Rules[T]['schema']>> }[CommandType];

/** Gives an id to what a command makes and does not name. The same command must be given the same id again. */
export function named({ type, data }: Spoken, newId: string): OrganizationCommand {
  const field = makes[type];
  const nameless = field !== undefined && !Object.hasOwn(data, field);
  return { type, data: nameless ? { ...data, [field]: newId } : data } as OrganizationCommand; // now it is named
}

/** The id of what a command makes, if it makes something. */
export const madeBy = ({ type, data }: OrganizationCommand): string | undefined =>
  (data as Record<string, string>)[makes[type] ?? ''];

const makes: { readonly [type in CommandType]?: string } = {
  AddMember: 'member',
  AddSite: 'site',
  AddQualityAssuranceDomain: 'domain',
  AddWebAnalyticsDomain: 'domain',
  PurchaseAddOn: 'purchase',
};

/** Who may ask for what: the table of `decisions.md`, for documentation and for the tests that hold it. */
export const permissions = Object.fromEntries(Object.entries(rules).map(([type, { may }]) => [type, may])) as Readonly<
  Record<CommandType, readonly string[]>
>;

/** For whoever may not know, what is there and what is not look alike. */
export const noSuchOrganization = refuse(
  'no-such-organization',
  'There is no such organization, or you may not know of it.',
);

/** Billing and traffic are facts from outside: they have happened, whether we are open or not (`decisions.md` 27). */
type WhenClosed = 'never when closed' | 'billing when closed' | 'also when closed';
const countsWhenClosed = (closed: WhenClosed, { actor }: Asked) =>
  closed === 'also when closed' || (closed === 'billing when closed' && actor.kind === 'billing');

const circumstancesOf = (asked: Asked, standing: Standing, catalogue: Catalogue): Circumstances => ({
  standing,
  at: asked.at,
  catalogue,
  message: asked.message ?? null,
});

function rule<Schema extends z.ZodType<object>, Data extends z.infer<Schema>>(
  may: readonly string[],
  schema: Schema,
  decide: (command: Data, organization: Organization, circumstances: Circumstances) => Decision,
  closed: WhenClosed = 'never when closed',
) {
  return { may, schema, decide, closed };
}
