import { Body, Controller, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type CommandInput, words, readers } from '@charter/organization';
import type { z } from 'zod';
import { Answers, ok } from '../../http/declared-answers';
import { MEMBER } from '../example-events';
import { receipt } from '../organization.answers';
import { PreviewAnswer } from './previews.answers';
import { sendReceipt } from '../../http/answers';
import { ExecuteOrganizationCommand } from '../organization.handlers';
import { PreviewCommands } from './previews.handler';
import { Commands, PlanPreview } from '../organization.requests';
import { CommandsAsShown, PreviewQuery, withIds } from './previews.requests';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { IdempotencyInterceptor } from '../../http/idempotency';

const Id = { schema: words.Id };

/** The routes for previews, and for several commands in one append. */
@ApiTags('Commands and previews')
@Controller('api/v1/organizations/:id')
export class WhatIfController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('plan/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'The changes that another plan would make; nothing is written' })
  @Answers(readers, ok(PreviewAnswer), [409])
  async previewPlan(
    @Param('id', Id) id: string,
    @Query({ schema: PreviewQuery }) query: PreviewQuery,
    @Body({ schema: PlanPreview }) wish: z.infer<typeof PlanPreview>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.preview(id, commandsFor(wish), query, call, 'one change');
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'The changes that these commands would make, now or in the past; nothing is written' })
  @Answers(readers, ok(PreviewAnswer), [409])
  async previewCommands(
    @Param('id', Id) id: string,
    @Query({ schema: PreviewQuery }) query: PreviewQuery,
    @Body({ schema: Commands }) { commands }: z.infer<typeof Commands>,
    @CurrentCall() call: OrganizationCall,
  ) {
    return this.preview(id, commands, query, call, 'a list');
  }

  @Post('commands')
  @UseInterceptors(IdempotencyInterceptor)
  @ApiOperation({
    summary: 'Execute all of these commands in one append, or none; with `shown`, exactly as a preview has shown',
  })
  @Answers('each command by its own rule', receipt('MemberAdded', { member: MEMBER, role: 'member' }))
  async execute(
    @Param('id', Id) id: string,
    @Body({ schema: CommandsAsShown }) { commands, shown }: z.infer<typeof CommandsAsShown>,
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    const asShown = { ...context, shown };
    return sendReceipt(
      await this.commands.execute(new ExecuteOrganizationCommand(id, withIds(commands, context), asShown)),
      response,
    );
  }

  private preview(
    id: string,
    inputs: readonly CommandInput[],
    query: PreviewQuery,
    { context, response }: OrganizationCall,
    from: 'one change' | 'a list',
  ) {
    const asker = { ...context, response };
    return this.queries.execute(new PreviewCommands(id, withIds(inputs, context), context, query, asker, from));
  }
}

const commandsFor = ({ line, plan, addOns, serviceLevel }: z.infer<typeof PlanPreview>): readonly CommandInput[] => [
  plan === null ? { type: 'EndPlan', data: { line } } : { type: 'AssignPlan', data: { line, plan } },
  ...addOns.map((wished) => ({ type: 'PurchaseAddOn', data: wished }) as const),
  ...(serviceLevel ? [{ type: 'AssignServiceLevel', data: { serviceLevel } } as const] : []),
];
