import { Body, Controller, Get, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type CommandData, schemaOf, permissions, readers } from '@charter/organization';
import type { Response } from 'express';
import type { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { ORGANIZATION } from './example-events';
import { madeReceipt, OrganizationPage } from './organization.answers';
import { sendReceipt } from '../http/answers';
import { printedList } from './list-organizations';
import { ListOrganizations } from './list-organizations.handler';
import { ExecuteOrganizationCommand } from './organization.handlers';
import { OrganizationsQuery } from './organization.requests';
import { CurrentContext, commandContextFor, type RequestContext, deterministicId } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { randomUUID } from 'node:crypto';

/** The routes for founding and for listing organizations. */
@ApiTags('Organizations')
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations')
export class OrganizationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Found an organization' })
  @Answers(permissions.FoundOrganization, madeReceipt(ORGANIZATION, 'OrganizationFounded', { name: 'Acme' }))
  async found(
    @Body({ schema: schemaOf('FoundOrganization') }) data: CommandData<'FoundOrganization'>,
    @CurrentContext() context: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    // The organization's id is derived from the caller and the idempotency key, so that a retry after a crash does not
    // create a second organization.
    const { key, caller } = context;
    const id = key === undefined ? randomUUID() : deterministicId('organization', caller.actor.id, key);
    const commandContext = commandContextFor(context, id);
    const receipt = await this.commands.execute(
      new ExecuteOrganizationCommand(id, { type: 'FoundOrganization', data }, commandContext),
    );
    return sendReceipt(receipt, response, { id, at: '/api/v1/organizations' });
  }

  /** Lists the organizations that the caller may see. The list may lag behind the events (`api.md`). */
  @Get()
  @ApiOperation({ summary: 'List organizations by name' })
  @Answers(readers, ok(OrganizationPage))
  async list(
    @Query({ schema: OrganizationsQuery }) { q, plan, cursor, limit }: z.infer<typeof OrganizationsQuery>,
    @CurrentContext() { caller }: RequestContext,
  ) {
    return printedList(await this.queries.execute(new ListOrganizations({ q, plan, cursor, limit }, caller)));
  }
}
