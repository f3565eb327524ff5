import { Body, Controller, Get, Inject, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { refuse } from '@charter/decider';
import { Refused } from '@charter/aggregates';
import {
  type CommandData,
  isAny,
  organizationOf,
  organizationStream,
  readers,
  schemaOf,
  standingOf,
} from '@charter/organization';
import { memberTag, organizationView, planTag } from '@charter/organization-view';
import type { Response } from 'express';
import type { z } from 'zod';
import { printedReceipt } from '../http/answers';
import { TellOrganization } from './organization.handlers';
import { cursorAt, ListQuery } from './organization.requests';
import type { Caller } from '../http/authentication/caller';
import { Asking, envelopeFor, type Known, nameFrom } from '../http/request-context';
import { Once } from '../http/idempotency';
import { RUNTIME, type Runtime } from '../process/runtime';
import { randomUUID } from 'node:crypto';

/** Founding organizations, and finding them. */
@ApiTags('Organizations')
@ApiBearerAuth()
@UseInterceptors(Once)
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
    @Asking() known: Known,
    @Res({ passthrough: true }) response: Response,
  ) {
    // From the caller and the key, so that asking again after a crash founds nothing twice.
    const { key, caller } = known;
    const id = key === undefined ? randomUUID() : nameFrom('organization', caller.actor.id, key);
    const by = envelopeFor(known, id);
    const receipt = await this.commands.execute(new TellOrganization(id, { type: 'FoundOrganization', data }, by));
    return printedReceipt(receipt, response, { id, at: '/api/v1/organizations' });
  }

  /** What the caller may see. It may trail by the projection's lag (`api.md`). */
  @Get()
  @ApiOperation({ summary: 'List organizations by name' })
  async list(
    @Query({ schema: ListQuery }) { q, plan, cursor, limit }: z.infer<typeof ListQuery>,
    @Asking() { caller }: Known,
  ) {
    this.runtime.reading.mustBeTrusted();
    const tags = plan === undefined ? [] : [planTag(plan)];
    if (caller.only !== undefined) return this.listOnly(caller, caller.only, q, tags);

    const { actor } = caller;
    if (!isAny(readers, actor.powers)) {
      if (actor.kind !== 'account')
        throw new Refused(refuse('not-allowed', `This takes one of: ${readers.join(', ')}.`));
      tags.push(memberTag(actor.id));
    }
    const { rows: found, next } = await this.runtime.view.list({ q, tags, after: cursor, limit });
    const rows = isAny(readers, actor.powers) ? found : await this.stillTheirs(found, caller);
    const organizations = rows.map(({ stream, name, columns, revision }) => ({
      id: organizationOf(stream),
      name,
      ...columns,
      revision,
    }));
    return { organizations, next: cursorAt(next) };
  }

  /** The list may trail; a role that was taken away may not be seen in it (`acceptance.md` H6). */
  private async stillTheirs<Row extends Readonly<{ stream: string }>>(rows: readonly Row[], { actor }: Caller) {
    const { organizations } = this.runtime;
    const theirs = await Promise.all(
      rows.map(({ stream }) => organizations.look(stream, ({ state }) => isAny(readers, standingOf(actor, state)))),
    );
    return rows.filter((_, index) => theirs[index]);
  }

  /** What is bound to one organization, a key or a session, sees a list of at most one. */
  private async listOnly(caller: Caller, id: string, q = '', tags: readonly string[]) {
    const { actor } = caller;
    if (actor.kind === 'account') {
      const theirs = await this.stillTheirs([{ stream: organizationStream(id) }], caller);
      if (theirs.length === 0) return { organizations: [], next: null };
    } else if (!isAny(readers, actor.powers))
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
