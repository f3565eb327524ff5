import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { deadlineFromNow, type Receipt } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import { auditors, type OrganizationCommand, type OrganizationEvent, readers } from '@charter/organization';
import type { OrganizationQuery } from '@charter/organization-view';
import type { HistoryReader } from '../history/read-audit';
import { type TaggedAnswer, isPast, type QueryTime } from './organization-reader';
import type { Asker } from '../http/admission/gate';
import { explainNotAsShown } from './previews/previews.handler';
import { absenceOf, requireRole } from './require-role';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import type { Charter } from '@charter/application';
import { STORES } from '../process/parts/stores';

/** One or several commands on an organization, for one append: Charter executes either all commands or none. */
export class ExecuteOrganizationCommand extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly command: OrganizationCommand | readonly OrganizationCommand[],
    readonly context: Envelope,
  ) {
    super();
  }
}

/** A query about an organization at a point in time. */
export class QueryOrganization<Answer> extends Query<TaggedAnswer<Answer>> {
  constructor(
    readonly id: string,
    readonly question: OrganizationQuery<Answer>,
    readonly when: QueryTime,
    readonly asker: Asker & HistoryReader,
  ) {
    super();
  }
}

@CommandHandler(ExecuteOrganizationCommand)
export class ExecuteOrganizationCommandHandler implements ICommandHandler<ExecuteOrganizationCommand> {
  constructor(
    @Inject(STORES) private readonly stores: Charter,
    @Inject(ORGANIZATION_ACCESS) private readonly access: Pick<OrganizationAccess, 'commands'>,
  ) {}

  async execute({ id, command, context }: ExecuteOrganizationCommand) {
    try {
      return await this.access.commands.execute(id, command, context);
    } catch (error) {
      throw await explainNotAsShown(this.stores, id, [command].flat(), context, error);
    }
  }
}

@QueryHandler(QueryOrganization)
export class QueryOrganizationHandler implements IQueryHandler<QueryOrganization<unknown>> {
  private readonly runtime: Pick<Charter, 'organizations'> & Pick<OrganizationAccess, 'reading' | 'recordRead'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  async execute({ id, question, when, asker }: QueryOrganization<unknown>) {
    const deadline = deadlineFromNow();
    // only auditors may query the past
    await requireRole(this.runtime, id, asker.actor, isPast(when) ? auditors : readers, deadline);
    const answered = await this.runtime.reading.query(id, question, when, asker, deadline);
    if (!answered) throw await absenceOf(this.runtime, id);
    if (isPast(when)) await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, asker);
    return answered;
  }
}
