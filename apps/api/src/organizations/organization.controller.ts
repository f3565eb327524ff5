import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  type CommandData,
  ProductLine,
  type CommandInput,
  createdIdOf,
  type OrganizationCommand,
  schemaOf,
  words,
  permissions,
  readers,
  withNewId,
} from '@charter/organization';
import {
  entitlement,
  EntitlementAnswer,
  type EntitlementKey,
  entitlements,
  EntitlementsAnswer,
  publicDocument,
  publicDocumentSchema,
  type OrganizationQuery,
  recipients,
  RecipientsAnswer,
} from '@charter/organization-view';
import type { z } from 'zod';
import { Answers, tagged } from '../http/declared-answers';
import { madeReceipt, receipt } from './organization.answers';
import { sendAnswer, sendReceipt } from '../http/answers';
import { addOnCancelled, addOnPurchased, DOMAIN, MEMBER, planAssigned, planEnded, SITE } from './example-events';
import { AddOrganizationMember } from './members/add-member.handler';
import { QueryOrganization, ExecuteOrganizationCommand } from './organization.handlers';
import * as requests from './organization.requests';
import type { QueryTime } from './organization-reader';
import { type OrganizationCall, deterministicId, CurrentCall } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { requestLanguage } from '../http/input/language';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';

const Id = { schema: words.Id };
const Opaque = { schema: words.ProviderId };
type Of<Schema extends z.ZodType> = z.infer<Schema>;

/** The routes of an organization. The domain decides what the caller may do. */
@ApiTags('Organizations')
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations/:id')
export class OrganizationController {
  private readonly runtime: Pick<Charter, 'settings'> & Pick<OrganizationAccess, 'projection'>;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(STORES) stores: Charter,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...access };
  }

  @Get()
  @ApiOperation({
    summary: 'The public organization document',
    description:
      'Its `limits` are the configured ones, as the specification requires; `/entitlements` lists the limits in force, and why.',
  })
  @Answers(readers, tagged(publicDocumentSchema))
  document(
    @Param('id', Id) id: string,
    @Query({ schema: requests.WhenQuery }) when: QueryTime,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.ask(id, publicDocument(id, this.runtime.settings.productKey), when, call);
  }

  @Get('entitlements')
  @ApiOperation({ summary: 'Every limit and every feature in force, each with its reasons' })
  @Answers(readers, tagged(EntitlementsAnswer))
  entitlements(
    @Param('id', Id) id: string,
    @Query({ schema: requests.WhenQuery }) when: QueryTime,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.ask(id, entitlements(id), when, call);
  }

  @Get('entitlements/:key')
  @ApiOperation({ summary: 'One limit or feature, with its reasons' })
  @Answers(readers, tagged(EntitlementAnswer))
  entitlement(
    @Param('id', Id) id: string,
    @Param('key', { schema: requests.EntitlementKeyParam }) key: EntitlementKey,
    @Query({ schema: requests.WhenQuery }) when: QueryTime,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.ask(id, entitlement(id, key), when, call);
  }

  @Get('notification-recipients')
  @ApiOperation({ summary: 'The members whom the second product line notifies' })
  @Answers(readers, tagged(RecipientsAnswer))
  recipients(
    @Param('id', Id) id: string,
    @Query({ schema: requests.WhenQuery }) when: QueryTime,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.ask(id, recipients(id), when, call);
  }

  @Patch()
  @ApiOperation({ summary: 'Rename the organization' })
  @Answers(permissions.RenameOrganization, receipt('OrganizationRenamed', { name: 'Acme & Sons' }))
  rename(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('RenameOrganization') }) data: CommandData<'RenameOrganization'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'RenameOrganization', data }, call);
  }

  @Post('close')
  @ApiOperation({ summary: 'Close the organization: every command except reopening is refused' })
  @Answers(permissions.CloseOrganization, receipt('OrganizationClosed', { reason: 'The contract has ended' }))
  close(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('CloseOrganization') }) data: CommandData<'CloseOrganization'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'CloseOrganization', data }, call);
  }

  @Post('reopen')
  @ApiOperation({ summary: 'Reopen the organization' })
  @Answers(permissions.ReopenOrganization, receipt('OrganizationReopened', { reason: 'The contract was renewed' }))
  reopen(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ReopenOrganization') }) data: CommandData<'ReopenOrganization'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'ReopenOrganization', data }, call);
  }

  @Put('plan')
  @ApiOperation({ summary: 'Assign a plan' })
  @Answers(permissions.AssignPlan, receipt('PlanAssigned', planAssigned))
  assignPlan(
    @Param('id', Id) id: string,
    @Body({ schema: requests.PlanChoice }) data: Of<typeof requests.PlanChoice>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'AssignPlan', data }, call);
  }

  @Delete('plan/:line')
  @ApiOperation({ summary: 'End the plan of a product line' })
  @Answers(permissions.EndPlan, receipt('PlanEnded', planEnded))
  endPlan(
    @Param('id', Id) id: string,
    @Param('line', { schema: ProductLine }) line: ProductLine,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'EndPlan', data: { line } }, call);
  }

  @Post('add-ons')
  @ApiOperation({ summary: 'Purchase an add-on' })
  @Answers(permissions.PurchaseAddOn, madeReceipt(addOnPurchased.purchase, 'AddOnPurchased', addOnPurchased))
  purchase(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewPurchase }) data: Of<typeof requests.NewPurchase>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.make(id, { type: 'PurchaseAddOn', data }, call);
  }

  @Put('add-ons/:purchase')
  @ApiOperation({ summary: 'Change the number of units of a purchase' })
  @Answers(permissions.ChangeQuantity, receipt('AddOnPurchased', addOnPurchased))
  changeQuantity(
    @Param('id', Id) id: string,
    @Param('purchase', Opaque) purchase: string,
    @Body({ schema: requests.NewQuantity }) data: Of<typeof requests.NewQuantity>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'ChangeQuantity', data: { purchase, ...data } }, call);
  }

  @Delete('add-ons/:purchase')
  @ApiOperation({ summary: 'Cancel a purchase' })
  @Answers(permissions.CancelAddOn, receipt('AddOnCancelled', addOnCancelled))
  cancel(
    @Param('id', Id) id: string,
    @Param('purchase', Opaque) purchase: string,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'CancelAddOn', data: { purchase } }, call);
  }

  @Put('service-level')
  @ApiOperation({ summary: 'Assign a service level' })
  @Answers(permissions.AssignServiceLevel, receipt('ServiceLevelAssigned', { serviceLevel: 'assisted' }))
  assignServiceLevel(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('AssignServiceLevel') }) data: CommandData<'AssignServiceLevel'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'AssignServiceLevel', data }, call);
  }

  @Put('product')
  @ApiOperation({ summary: 'Enable or disable the second product line' })
  @Answers(permissions.EnableProduct, receipt('ProductEnabled', {}))
  product(
    @Param('id', Id) id: string,
    @Body({ schema: requests.Product }) { enabled }: Of<typeof requests.Product>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: enabled ? 'EnableProduct' : 'DisableProduct', data: {} }, call);
  }

  @Put('parallel-use')
  @ApiOperation({ summary: 'Set whether the organization uses both product lines in parallel' })
  @Answers(permissions.ChangeParallelUse, receipt('ParallelUseChanged', { parallelUse: true }))
  parallelUse(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ChangeParallelUse') }) data: CommandData<'ChangeParallelUse'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'ChangeParallelUse', data }, call);
  }

  @Put('limits')
  @ApiOperation({ summary: 'Set limits by hand: 0 means unlimited, null means the limit of the plan' })
  @Answers(permissions.ConfigureLimits, receipt('LimitsConfigured', { limits: { users: 50 } }))
  configureLimits(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ConfigureLimits') }) data: CommandData<'ConfigureLimits'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'ConfigureLimits', data }, call);
  }

  @Put('limits/override')
  @ApiOperation({ summary: 'Suspend hard limits, for ever or until a moment' })
  @Answers(
    permissions.OverrideHardLimits,
    receipt('HardLimitsOverridden', { reason: 'A trial', until: '2026-12-31T00:00:00.000Z' }),
  )
  override(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('OverrideHardLimits') }) data: CommandData<'OverrideHardLimits'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'OverrideHardLimits', data }, call);
  }

  @Delete('limits/override')
  @ApiOperation({ summary: 'Enforce hard limits again' })
  @Answers(permissions.RestoreHardLimits, receipt('HardLimitsRestored', { reason: 'by hand' }))
  restore(
    @Param('id', Id) id: string,
    @Query({ schema: requests.Reasoned }) { reason = 'by hand' }: Of<typeof requests.Reasoned>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'RestoreHardLimits', data: { reason } }, call);
  }

  @Post('members')
  @ApiOperation({
    summary: 'Add a member, by id or by e-mail address',
    description: 'A new person gets a mail with a link that sets a password.',
  })
  @Answers(permissions.AddMember, madeReceipt(MEMBER, 'MemberAdded', { member: MEMBER, role: 'member' }))
  async addMember(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewMember }) wish: Of<typeof requests.NewMember>,
    @CurrentCall() { context, request, response }: OrganizationCall,
  ) {
    const language = requestLanguage(request, request.charter.caller.signedIn?.account.language);
    const { member, receipt } = await this.commands.execute(
      new AddOrganizationMember(id, { ...wish, language }, context),
    );
    return sendReceipt(receipt, response, { id: member, at: request.path });
  }

  @Patch('members/:user')
  @ApiOperation({ summary: 'Change the role of a member, or whether the member uses the second product line' })
  @Answers(permissions.ChangeRole, receipt('MemberRoleChanged', { member: MEMBER, role: 'admin' }))
  changeMember(
    @Param('id', Id) id: string,
    @Param('user', Id) member: string,
    @Body({ schema: requests.MemberChange }) { role, productUser }: Of<typeof requests.MemberChange>,
    @CurrentCall() call: OrganizationCall,
  ) {
    const commands: OrganizationCommand[] = [];
    if (role) commands.push({ type: 'ChangeRole', data: { member, role } });
    if (productUser !== undefined)
      commands.push({ type: productUser ? 'FlagProductUser' : 'UnflagProductUser', data: { member } });
    return this.execute(id, onlyOne(commands), call);
  }

  @Delete('members/:user')
  @ApiOperation({ summary: 'Remove a member' })
  @Answers(permissions.RemoveMember, receipt('MemberRemoved', { member: MEMBER }))
  removeMember(@Param('id', Id) id: string, @Param('user', Id) member: string, @CurrentCall() call: OrganizationCall) {
    return this.execute(id, { type: 'RemoveMember', data: { member } }, call);
  }

  @Post('sites')
  @ApiOperation({ summary: 'Add a site' })
  @Answers(
    permissions.AddSite,
    madeReceipt(SITE, 'SiteAdded', { site: SITE, hostname: 'www.example.com', name: 'www.example.com' }),
  )
  addSite(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('AddSite').omit({ site: true }) }) data: Omit<CommandData<'AddSite'>, 'site'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.make(id, { type: 'AddSite', data }, call);
  }

  @Patch('sites/:site')
  @ApiOperation({ summary: 'Rename a site, or switch its features' })
  @Answers(permissions.ChangeSiteFeatures, receipt('SiteRenamed', { site: SITE, name: 'Shop' }))
  changeSite(
    @Param('id', Id) id: string,
    @Param('site', Id) site: string,
    @Body({ schema: requests.SiteChange }) { name, features }: Of<typeof requests.SiteChange>,
    @CurrentCall() call: OrganizationCall,
  ) {
    const commands: OrganizationCommand[] = [];
    if (name !== undefined) commands.push({ type: 'RenameSite', data: { site, name } });
    if (features) commands.push({ type: 'ChangeSiteFeatures', data: { site, features } });
    return this.execute(id, onlyOne(commands), call);
  }

  @Delete('sites/:site')
  @ApiOperation({ summary: 'Remove a site' })
  @Answers(permissions.RemoveSite, receipt('SiteRemoved', { site: SITE }))
  removeSite(@Param('id', Id) id: string, @Param('site', Id) site: string, @CurrentCall() call: OrganizationCall) {
    return this.execute(id, { type: 'RemoveSite', data: { site } }, call);
  }

  @Post('quality-assurance/domains')
  @ApiOperation({ summary: 'Add a quality-assurance domain' })
  @Answers(
    permissions.AddQualityAssuranceDomain,
    madeReceipt(DOMAIN, 'QualityAssuranceDomainAdded', { domain: DOMAIN, hostname: 'www.example.com' }),
  )
  addQualityAssuranceDomain(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('AddQualityAssuranceDomain').omit({ domain: true }) })
    data: Omit<CommandData<'AddQualityAssuranceDomain'>, 'domain'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.make(id, { type: 'AddQualityAssuranceDomain', data }, call);
  }

  @Delete('quality-assurance/domains/:domain')
  @ApiOperation({ summary: 'Remove a quality-assurance domain' })
  @Answers(permissions.RemoveQualityAssuranceDomain, receipt('QualityAssuranceDomainRemoved', { domain: DOMAIN }))
  removeQualityAssuranceDomain(
    @Param('id', Id) id: string,
    @Param('domain', Id) domain: string,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'RemoveQualityAssuranceDomain', data: { domain } }, call);
  }

  @Post('web-analytics/domains')
  @ApiOperation({ summary: 'Add a web-analytics domain' })
  @Answers(
    permissions.AddWebAnalyticsDomain,
    madeReceipt(DOMAIN, 'WebAnalyticsDomainAdded', { domain: DOMAIN, hostname: 'www.example.com' }),
  )
  addWebAnalyticsDomain(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('AddWebAnalyticsDomain').omit({ domain: true }) })
    data: Omit<CommandData<'AddWebAnalyticsDomain'>, 'domain'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.make(id, { type: 'AddWebAnalyticsDomain', data }, call);
  }

  @Delete('web-analytics/domains/:domain')
  @ApiOperation({ summary: 'Remove a web-analytics domain' })
  @Answers(permissions.RemoveWebAnalyticsDomain, receipt('WebAnalyticsDomainRemoved', { domain: DOMAIN }))
  removeWebAnalyticsDomain(
    @Param('id', Id) id: string,
    @Param('domain', Id) domain: string,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'RemoveWebAnalyticsDomain', data: { domain } }, call);
  }

  @Post('traffic')
  @ApiOperation({ summary: 'Report the page views of a month' })
  @Answers(permissions.ReportTraffic, receipt('TrafficReported', { month: '2026-05', views: 120_000 }))
  reportTraffic(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ReportTraffic') }) data: CommandData<'ReportTraffic'>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.execute(id, { type: 'ReportTraffic', data }, call);
  }

  private async ask<Answer extends object>(
    id: string,
    question: OrganizationQuery<Answer>,
    when: QueryTime,
    { context, request, response }: OrganizationCall,
  ) {
    const asker = { ...context, response };
    const answered = await this.queries.execute(new QueryOrganization(id, question, when, asker));
    return sendAnswer(this.runtime, answered, request, response);
  }

  private async execute(
    id: string,
    command: OrganizationCommand | readonly OrganizationCommand[],
    { context, response }: OrganizationCall,
  ) {
    return sendReceipt(await this.commands.execute(new ExecuteOrganizationCommand(id, command, context)), response);
  }

  /**
   * Executes a command that creates a list entry, such as a site; answers 201 with the id of the entry. If the caller
   * sent no id, each retry of the request gets the same id.
   */
  private async make(id: string, input: CommandInput, { context, request, response }: OrganizationCall) {
    const command = withNewId(input, deterministicId('made', context.command));
    const receipt = await this.commands.execute(new ExecuteOrganizationCommand(id, command, context));
    return sendReceipt(receipt, response, { id: createdIdOf(command)!, at: request.path });
  }
}

const onlyOne = (commands: readonly OrganizationCommand[]) => (commands.length === 1 ? commands[0]! : commands);
