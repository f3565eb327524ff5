import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Charter } from '@charter/application';
import { Refused } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { type OrganizationCommand, organizationStream, readers } from '@charter/organization';
import { requireRole } from './require-role';
import { STORES } from '../process/parts/stores';

type OrganizationPreview = Awaited<ReturnType<Charter['organizations']['preview']>>;

/**
 * Computes the effects of commands on an organization and writes nothing. The preview decides with an operator's
 * powers, so that any reader may preview any change (`api.md`).
 */
export class PreviewCommands extends Query<Exclude<OrganizationPreview, { refusal: unknown }>> {
  constructor(
    readonly id: string,
    readonly commands: readonly OrganizationCommand[],
    readonly context: Envelope,
    readonly from: 'one change' | 'a list',
  ) {
    super();
  }
}

@QueryHandler(PreviewCommands)
export class PreviewCommandsHandler implements IQueryHandler<PreviewCommands> {
  constructor(@Inject(STORES) private readonly runtime: Pick<Charter, 'organizations'>) {}

  async execute({ id, commands, context, from }: PreviewCommands) {
    await requireRole(this.runtime, id, context.actor, readers);
    const operator = { ...context, actor: { ...context.actor, powers: ['operator'] } };
    const preview = await this.runtime.organizations.preview(organizationStream(id), commands, operator);
    if ('refusal' in preview) throw new Refused(preview.refusal, from === 'a list' ? preview.index : undefined);
    return preview;
  }
}
