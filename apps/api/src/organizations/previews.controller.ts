import { Body, Controller, HttpCode, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Envelope } from '@charter/event-log';
import { Refused } from '@charter/aggregates';
import {
  named,
  type OrganizationCommand,
  organizationStream,
  readers,
  type Spoken,
  words,
} from '@charter/organization';
import { changesBetween } from '@charter/organization-view';
import type { z } from 'zod';
import { printedReceipt } from '../http/answers';
import { permitted, TellOrganization } from './organization.handlers';
import { Commands, PlanWish } from './organization.requests';
import { type Call, nameFrom, OnCall } from '../http/request-context';
import { Once } from '../http/idempotency';
import { RUNTIME, type Runtime } from '../process/runtime';

const Id = { schema: words.Id };

/** What if, and the same for real: several commands in order, all of them or none. */
@ApiTags('Commands and previews')
@ApiBearerAuth()
@Controller('api/v1/organizations/:id')
export class WhatIfController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  @Post('plan/preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'What another plan would change; nothing is written' })
  async previewPlan(
    @Param('id', Id) id: string,
    @Body({ schema: PlanWish }) wish: z.infer<typeof PlanWish>,
    @OnCall() { by }: Call,
  ) {
    return this.preview(id, commandsFor(wish), by, 'one wish');
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'What these commands would change; nothing is written' })
  async previewCommands(
    @Param('id', Id) id: string,
    @Body({ schema: Commands }) body: z.infer<typeof Commands>,
    @OnCall() { by }: Call,
  ) {
    return this.preview(id, body.commands, by, 'a list');
  }

  @Post('commands')
  @UseInterceptors(Once)
  @ApiOperation({ summary: 'Do all of these commands in one append, or none' })
  async tell(
    @Param('id', Id) id: string,
    @Body({ schema: Commands }) body: z.infer<typeof Commands>,
    @OnCall() { by, response }: Call,
  ) {
    return printedReceipt(
      await this.commands.execute(new TellOrganization(id, allNamed(body.commands, by), by)),
      response,
    );
  }

  /** The real decisions, asked as an operator would: whoever may read may ask what if (`api.md`). */
  private async preview(id: string, spoken: readonly Spoken[], by: Envelope, from: 'one wish' | 'a list') {
    await permitted(this.runtime, id, by.actor, readers);
    const operator = { ...by, actor: { ...by.actor, powers: ['operator'] } };
    const preview = await this.runtime.organizations.preview(organizationStream(id), allNamed(spoken, by), operator);
    if ('refusal' in preview) throw new Refused(preview.refusal, from === 'a list' ? preview.index : undefined);
    const { revision, before, after, events } = preview;
    return { revision, events, ...changesBetween(before, after, by.at) };
  }
}

const commandsFor = ({ line, plan, addOns, serviceLevel }: z.infer<typeof PlanWish>): readonly Spoken[] => [
  plan === null ? { type: 'EndPlan', data: { line } } : { type: 'AssignPlan', data: { line, plan } },
  ...addOns.map((wished) => ({ type: 'PurchaseAddOn', data: wished }) as const),
  ...(serviceLevel ? [{ type: 'AssignServiceLevel', data: { serviceLevel } } as const] : []),
];

const allNamed = (spoken: readonly Spoken[], { command }: Envelope): readonly OrganizationCommand[] =>
  spoken.map((one, index) => named(one, nameFrom('made', command, String(index))));
