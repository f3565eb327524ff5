import { Body, Controller, Get, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type CommandData, organizationIdOf, schemaOf } from '@charter/organization';
import type { Response } from 'express';
import type { z } from 'zod';
import { sendReceipt } from '../http/answers';
import { ListOrganizations } from './list-organizations.handler';
import { ExecuteOrganizationCommand } from './organization.handlers';
import { organizationCursor, OrganizationsQuery } from './organization.requests';
import { CurrentContext, commandContextFor, type RequestContext, deterministicId } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { randomUUID } from 'node:crypto';

/** Founding organizations, and finding them. */
@ApiTags('Organizations')
@ApiBearerAuth()
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations')
export class OrganizationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Found an organization' })
  async found(
    @Body({ schema: schemaOf('FoundOrganization') }) data: CommandData<'FoundOrganization'>,
    @CurrentContext() known: RequestContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    // From the caller and the key, so that asking again after a crash founds nothing twice.
    const { key, caller } = known;
    const id = key === undefined ? randomUUID() : deterministicId('organization', caller.actor.id, key);
    const by = commandContextFor(known, id);
    const receipt = await this.commands.execute(
      new ExecuteOrganizationCommand(id, { type: 'FoundOrganization', data }, by),
    );
    return sendReceipt(receipt, response, { id, at: '/api/v1/organizations' });
  }

  /** What the caller may see. It may trail by the projection's lag (`api.md`). */
  @Get()
  @ApiOperation({ summary: 'List organizations by name' })
  async list(
    @Query({ schema: OrganizationsQuery }) { q, plan, cursor, limit }: z.infer<typeof OrganizationsQuery>,
    @CurrentContext() { caller }: RequestContext,
  ) {
    const { rows, next } = await this.queries.execute(new ListOrganizations({ q, plan, cursor, limit }, caller));
    const organizations = rows.map(({ stream, name, columns, revision }) => ({
      id: organizationIdOf(stream),
      name,
      ...columns,
      revision,
    }));
    return { organizations, next: organizationCursor(next) };
  }
}
