import { Body, Controller, Get, Inject, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import {
  type CommandData,
  hasAnyRole,
  organizationIdOf,
  organizationStream,
  readers,
  schemaOf,
  actorRolesOf,
} from '@charter/organization';
import { memberTag, organizationView, planTag } from '@charter/organization-view';
import type { Response } from 'express';
import type { z } from 'zod';
import { sendReceipt } from '../http/answers';
import { ExecuteOrganizationCommand } from './organization.handlers';
import { organizationCursor, OrganizationsQuery } from './organization.requests';
import type { Caller } from '../http/authentication/caller';
import { CurrentContext, commandContextFor, type RequestContext, deterministicId } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { RUNTIME, type Runtime } from '../process/runtime';
import { randomUUID } from 'node:crypto';

/** Founding organizations, and finding them. */
@ApiTags('Organizations')
@ApiBearerAuth()
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations')
export class OrganizationsController {
  constructor(
    private readonly commands: CommandBus,
    @Inject(RUNTIME) private readonly runtime: Runtime,
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
    this.runtime.reading.mustBeTrusted();
    const tags = plan === undefined ? [] : [planTag(plan)];
    if (caller.only !== undefined) return this.listOnly(caller, caller.only, q, tags);

    const { actor } = caller;
    if (!hasAnyRole(readers, actor.powers)) {
      if (actor.kind !== 'account')
        throw new Refused(refuse('not-allowed', `This takes one of: ${readers.join(', ')}.`));
      tags.push(memberTag(actor.id));
    }
    const { rows: found, next } = await this.runtime.view.list({ q, tags, after: cursor, limit });
    const rows = hasAnyRole(readers, actor.powers) ? found : await this.stillTheirs(found, caller);
    const organizations = rows.map(({ stream, name, columns, revision }) => ({
      id: organizationIdOf(stream),
      name,
      ...columns,
      revision,
    }));
    return { organizations, next: organizationCursor(next) };
  }

  /** The list may trail; a role that was taken away may not be seen in it (`acceptance.md` H6). */
  private async stillTheirs<Row extends Readonly<{ stream: string }>>(rows: readonly Row[], { actor }: Caller) {
    const { organizations } = this.runtime;
    const theirs = await Promise.all(
      rows.map(({ stream }) =>
        organizations.query(stream, ({ state }) => hasAnyRole(readers, actorRolesOf(actor, state))),
      ),
    );
    return rows.filter((_, index) => theirs[index]);
  }

  /** What is bound to one organization, a key or a session, sees a list of at most one. */
  private async listOnly(caller: Caller, id: string, q = '', tags: readonly string[]) {
    const { actor } = caller;
    if (actor.kind === 'account') {
      const theirs = await this.stillTheirs([{ stream: organizationStream(id) }], caller);
      if (theirs.length === 0) return { organizations: [], next: null };
    } else if (!hasAnyRole(readers, actor.powers))
      throw new Refused(refuse('not-allowed', `This takes one of: ${readers.join(', ')}.`));
    const document = await this.runtime.view.get(organizationStream(id));
    const row = document && organizationView.row(document);
    const fits = row && row.name.toLowerCase().includes(q.toLowerCase()) && tags.every((tag) => row.tags.includes(tag));
    return {
      organizations: fits ? [{ id, name: row.name, ...row.columns, revision: document.revision }] : [],
      next: null,
    };
  }
}
