import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type CommandData, Line, madeBy, type OrganizationCommand, schemaOf, words } from '@charter/organization';
import {
  entitlement,
  type EntitlementKey,
  entitlements,
  publicDocument,
  type Question,
  recipients,
} from '@charter/organization-view';
import type { z } from 'zod';
import { printedAnswer, printedReceipt } from '../http/answers';
import { addMember } from './members/add-member';
import { memberships, named } from './members/member-names';
import { AskOrganization, TellOrganization } from './organization.handlers';
import * as requests from './organization.requests';
import type { When } from './organization-reader';
import { type Call, nameFrom, OnCall } from '../http/request-context';
import { Once } from '../http/idempotency';
import { RUNTIME, type Runtime } from '../process/runtime';

const Id = { schema: words.Id };
const Opaque = { schema: words.ProviderId };
type Of<Schema extends z.ZodType> = z.infer<Schema>;

/** One route for each thing that can be asked of an organization, or about it. What is allowed is said by the rules. */
@ApiTags('Organizations')
@ApiBearerAuth()
@UseInterceptors(Once)
@Controller('api/v1/organizations/:id')
export class OrganizationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'The public organization document',
    description:
      'Its `limits` are the configured ones, as the specification has it; `/entitlements` says what is in force, and why.',
  })
  document(@Param('id', Id) id: string, @Query({ schema: requests.WhenQuery }) when: When, @OnCall() call: Call) {
    return this.ask(id, publicDocument(id, this.runtime.settings.productKey), when, call);
  }

  @Get('entitlements')
  @ApiOperation({ summary: 'Every limit and every feature, each with its reasons' })
  entitlements(@Param('id', Id) id: string, @Query({ schema: requests.WhenQuery }) when: When, @OnCall() call: Call) {
    return this.ask(id, entitlements(id), when, call);
  }

  @Get('entitlements/:key')
  @ApiOperation({ summary: 'One limit or feature, with its reasons' })
  entitlement(
    @Param('id', Id) id: string,
    @Param('key', { schema: requests.Key }) key: EntitlementKey,
    @Query({ schema: requests.WhenQuery }) when: When,
    @OnCall() call: Call,
  ) {
    return this.ask(id, entitlement(id, key), when, call);
  }

  @Get('notification-recipients')
  @ApiOperation({ summary: 'Who the second line notifies' })
  recipients(@Param('id', Id) id: string, @Query({ schema: requests.WhenQuery }) when: When, @OnCall() call: Call) {
    return this.ask(id, recipients(id), when, call);
  }

  @Patch()
  @ApiOperation({ summary: 'Rename it' })
  rename(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('RenameOrganization') }) data: CommandData<'RenameOrganization'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'RenameOrganization', data }, call);
  }

  @Post('close')
  @ApiOperation({ summary: 'Close it: everything but reopening is refused' })
  close(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('CloseOrganization') }) data: CommandData<'CloseOrganization'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'CloseOrganization', data }, call);
  }

  @Post('reopen')
  @ApiOperation({ summary: 'Reopen it' })
  reopen(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ReopenOrganization') }) data: CommandData<'ReopenOrganization'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'ReopenOrganization', data }, call);
  }

  @Put('plan')
  @ApiOperation({ summary: 'Assign a plan' })
  assignPlan(
    @Param('id', Id) id: string,
    @Body({ schema: requests.Choice }) data: Of<typeof requests.Choice>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'AssignPlan', data }, call);
  }

  @Delete('plan/:line')
  @ApiOperation({ summary: 'End the plan of a line' })
  endPlan(@Param('id', Id) id: string, @Param('line', { schema: Line }) line: Line, @OnCall() call: Call) {
    return this.tell(id, { type: 'EndPlan', data: { line } }, call);
  }

  @Post('add-ons')
  @ApiOperation({ summary: 'Purchase an add-on' })
  purchase(
    @Param('id', Id) id: string,
    @Body({ schema: requests.Purchase }) { purchase, ...data }: Of<typeof requests.Purchase>,
    @OnCall() call: Call,
  ) {
    return this.make(
      id,
      { type: 'PurchaseAddOn', data: { purchase: purchase ?? nameFrom('made', call.by.command), ...data } },
      call,
    );
  }

  @Put('add-ons/:purchase')
  @ApiOperation({ summary: 'Change how many units a purchase counts' })
  changeQuantity(
    @Param('id', Id) id: string,
    @Param('purchase', Opaque) purchase: string,
    @Body({ schema: requests.NewQuantity }) data: Of<typeof requests.NewQuantity>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'ChangeQuantity', data: { purchase, ...data } }, call);
  }

  @Delete('add-ons/:purchase')
  @ApiOperation({ summary: 'Cancel a purchase' })
  cancel(@Param('id', Id) id: string, @Param('purchase', Opaque) purchase: string, @OnCall() call: Call) {
    return this.tell(id, { type: 'CancelAddOn', data: { purchase } }, call);
  }

  @Put('service-level')
  @ApiOperation({ summary: 'Assign a service level' })
  assignServiceLevel(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('AssignServiceLevel') }) data: CommandData<'AssignServiceLevel'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'AssignServiceLevel', data }, call);
  }

  @Put('product')
  @ApiOperation({ summary: 'Enable or disable the second line' })
  product(
    @Param('id', Id) id: string,
    @Body({ schema: requests.Product }) { enabled }: Of<typeof requests.Product>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: enabled ? 'EnableProduct' : 'DisableProduct', data: {} }, call);
  }

  @Put('parallel-use')
  @ApiOperation({ summary: 'Say whether both lines are used side by side' })
  parallelUse(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ChangeParallelUse') }) data: CommandData<'ChangeParallelUse'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'ChangeParallelUse', data }, call);
  }

  @Put('limits')
  @ApiOperation({ summary: 'Set limits by hand: 0 is unlimited, null as the plan says' })
  configureLimits(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ConfigureLimits') }) data: CommandData<'ConfigureLimits'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'ConfigureLimits', data }, call);
  }

  @Put('limits/override')
  @ApiOperation({ summary: 'Ignore hard limits, for ever or until a moment' })
  override(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('OverrideHardLimits') }) data: CommandData<'OverrideHardLimits'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'OverrideHardLimits', data }, call);
  }

  @Delete('limits/override')
  @ApiOperation({ summary: 'Let hard limits hold again' })
  restore(
    @Param('id', Id) id: string,
    @Query({ schema: requests.Reasoned }) { reason = 'by hand' }: Of<typeof requests.Reasoned>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'RestoreHardLimits', data: { reason } }, call);
  }

  @Get('members')
  @ApiOperation({ summary: 'Its members with their names and e-mail addresses' })
  async members(
    @Param('id', Id) id: string,
    @Query({ schema: requests.MembersQuery }) { cursor = '', limit, ...when }: Of<typeof requests.MembersQuery>,
    @OnCall() { by, response }: Call,
  ) {
    const { answer } = await this.queries.execute(new AskOrganization(id, memberships, when, { ...by, response }));
    const rest = answer.filter(({ user }) => user > cursor);
    const page = rest.slice(0, limit);
    return { members: await named(this.runtime, page), next: rest.length > limit ? page.at(-1)!.user : null };
  }

  @Post('members')
  @ApiOperation({
    summary: 'Add a member, by id or by e-mail address',
    description: 'Somebody new is mailed a link that sets a password.',
  })
  async addMember(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewMember }) wish: Of<typeof requests.NewMember>,
    @OnCall() { by, request, response }: Call,
  ) {
    const { member, receipt } = await addMember(this.runtime, id, wish, by);
    return printedReceipt(receipt, response, { id: member, at: request.path });
  }

  @Patch('members/:user')
  @ApiOperation({ summary: 'Change the role of a member, or whether they use the second line' })
  changeMember(
    @Param('id', Id) id: string,
    @Param('user', Id) member: string,
    @Body({ schema: requests.MemberChange }) { role, productUser }: Of<typeof requests.MemberChange>,
    @OnCall() call: Call,
  ) {
    const commands: OrganizationCommand[] = [];
    if (role) commands.push({ type: 'ChangeRole', data: { member, role } });
    if (productUser !== undefined)
      commands.push({ type: productUser ? 'FlagProductUser' : 'UnflagProductUser', data: { member } });
    return this.tell(id, onlyOne(commands), call);
  }

  @Delete('members/:user')
  @ApiOperation({ summary: 'Remove a member' })
  removeMember(@Param('id', Id) id: string, @Param('user', Id) member: string, @OnCall() call: Call) {
    return this.tell(id, { type: 'RemoveMember', data: { member } }, call);
  }

  @Post('sites')
  @ApiOperation({ summary: 'Add a site' })
  addSite(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewSite }) data: Of<typeof requests.NewSite>,
    @OnCall() call: Call,
  ) {
    return this.make(id, { type: 'AddSite', data: { site: nameFrom('made', call.by.command), ...data } }, call);
  }

  @Patch('sites/:site')
  @ApiOperation({ summary: 'Rename a site, or switch its features' })
  changeSite(
    @Param('id', Id) id: string,
    @Param('site', Id) site: string,
    @Body({ schema: requests.SiteChange }) { name, features }: Of<typeof requests.SiteChange>,
    @OnCall() call: Call,
  ) {
    const commands: OrganizationCommand[] = [];
    if (name !== undefined) commands.push({ type: 'RenameSite', data: { site, name } });
    if (features) commands.push({ type: 'ChangeSiteFeatures', data: { site, features } });
    return this.tell(id, onlyOne(commands), call);
  }

  @Delete('sites/:site')
  @ApiOperation({ summary: 'Remove a site' })
  removeSite(@Param('id', Id) id: string, @Param('site', Id) site: string, @OnCall() call: Call) {
    return this.tell(id, { type: 'RemoveSite', data: { site } }, call);
  }

  @Post('quality-assurance/domains')
  @ApiOperation({ summary: 'Add a quality-assurance domain' })
  addQualityAssuranceDomain(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewDomain }) data: Of<typeof requests.NewDomain>,
    @OnCall() call: Call,
  ) {
    return this.make(
      id,
      { type: 'AddQualityAssuranceDomain', data: { domain: nameFrom('made', call.by.command), ...data } },
      call,
    );
  }

  @Delete('quality-assurance/domains/:domain')
  @ApiOperation({ summary: 'Remove a quality-assurance domain' })
  removeQualityAssuranceDomain(@Param('id', Id) id: string, @Param('domain', Id) domain: string, @OnCall() call: Call) {
    return this.tell(id, { type: 'RemoveQualityAssuranceDomain', data: { domain } }, call);
  }

  @Post('web-analytics/domains')
  @ApiOperation({ summary: 'Add a web-analytics domain' })
  addWebAnalyticsDomain(
    @Param('id', Id) id: string,
    @Body({ schema: requests.NewDomain }) data: Of<typeof requests.NewDomain>,
    @OnCall() call: Call,
  ) {
    return this.make(
      id,
      { type: 'AddWebAnalyticsDomain', data: { domain: nameFrom('made', call.by.command), ...data } },
      call,
    );
  }

  @Delete('web-analytics/domains/:domain')
  @ApiOperation({ summary: 'Remove a web-analytics domain' })
  removeWebAnalyticsDomain(@Param('id', Id) id: string, @Param('domain', Id) domain: string, @OnCall() call: Call) {
    return this.tell(id, { type: 'RemoveWebAnalyticsDomain', data: { domain } }, call);
  }

  @Post('traffic')
  @ApiOperation({ summary: 'Report the page views of a month' })
  reportTraffic(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('ReportTraffic') }) data: CommandData<'ReportTraffic'>,
    @OnCall() call: Call,
  ) {
    return this.tell(id, { type: 'ReportTraffic', data }, call);
  }

  private async ask(id: string, question: Question<object>, when: When, { by, request, response }: Call) {
    const asker = { ...by, response };
    const answered = await this.queries.execute(new AskOrganization(id, question, when, asker));
    return printedAnswer(this.runtime, answered, request, response);
  }

  private async tell(
    id: string,
    command: OrganizationCommand | readonly OrganizationCommand[],
    { by, response }: Call,
  ) {
    return printedReceipt(await this.commands.execute(new TellOrganization(id, command, by)), response);
  }

  /** A command that makes something: its id is in the answer, and 201 says that it is new. */
  private async make(id: string, command: OrganizationCommand, { by, request, response }: Call) {
    const receipt = await this.commands.execute(new TellOrganization(id, command, by));
    return printedReceipt(receipt, response, { id: madeBy(command)!, at: request.path });
  }
}

const onlyOne = (commands: readonly OrganizationCommand[]) => (commands.length === 1 ? commands[0]! : commands);
