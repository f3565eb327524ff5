import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Actor, refuse } from '@charter/decider';
import { type Receipt, Refused } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import {
  auditors,
  hasAnyRole,
  noSuchOrganization,
  type OrganizationCommand,
  type OrganizationEvent,
  organizationStream,
  readers,
  actorRolesOf,
} from '@charter/organization';
import type { OrganizationQuery } from '@charter/organization-view';
import { forgetClosed } from './forget-closed';
import { isMemberSomewhere } from '../account/memberships';
import type { HistoryReader } from '../history/read-audit';
import { type TaggedAnswer, isPast, type QueryTime } from './organization-reader';
import type { Asker } from '../http/admission/gate';
import { RUNTIME, type Runtime } from '../process/runtime';

/** One or several commands to one organization: all in one append, or none. */
export class ExecuteOrganizationCommand extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly command: OrganizationCommand | readonly OrganizationCommand[],
    readonly context: Envelope,
  ) {
    super();
  }
}

/** A question about one organization, at one moment. */
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
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  execute({ id, command, context }: ExecuteOrganizationCommand) {
    return executeOrganizationCommand(this.runtime, id, command, context);
  }
}

@QueryHandler(QueryOrganization)
export class QueryOrganizationHandler implements IQueryHandler<QueryOrganization<unknown>> {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async execute({ id, question, when, asker }: QueryOrganization<unknown>) {
    const { reading } = this.runtime;
    await requireRole(this.runtime, id, asker.actor, isPast(when) ? auditors : readers); // the past is for those who may audit
    const answered = await reading.query(id, question, when, asker);
    if (!answered) throw new Refused(noSuchOrganization);
    if (isPast(when)) await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, asker);
    return answered;
  }
}

/** What the handler does, for the hot routes too. What was acknowledged is shown from then on. */
export async function executeOrganizationCommand(
  runtime: Pick<Runtime, 'organizations' | 'reading' | 'counts' | 'documents' | 'log' | 'view'>,
  id: string,
  command: ExecuteOrganizationCommand['command'],
  by: Envelope,
): Promise<Receipt<OrganizationEvent>> {
  const { organizations, reading, counts } = runtime;
  const receipt = await organizations.execute(organizationStream(id), command, by).catch((error: unknown) => {
    counts.executed(command, error instanceof Refused ? String(error.refusal.refused) : 'failed');
    throw error;
  });
  if (receipt.events.length > 0) reading.acknowledged(id, receipt.revision, receipt.position);
  counts.executed(command, receipt.events.length > 0 ? 'accepted' : 'nothing-new');
  await takeBackInvitations(runtime, receipt.events);
  await forgetClosed(runtime, id, command, receipt.events);
  return receipt;
}

/** Whoever was removed before they ever came, and belongs nowhere else, has nothing to come with (`acceptance.md` H10). */
async function takeBackInvitations(
  runtime: Parameters<typeof executeOrganizationCommand>[0],
  events: readonly OrganizationEvent[],
) {
  const { accounts, links } = runtime.documents.people;
  for (const { type, data } of events) {
    if (type !== 'MemberRemoved') continue;
    const account = await accounts.byId(data.member);
    if (account?.state !== 'invited') continue;
    if (!(await isMemberSomewhere(runtime, account.id))) await links.dropAll(account.id);
  }
}

/** A role is read from the stream, never from the read model: a projection may lag, a permission may not. */
export async function requireRole(
  { organizations }: Pick<Runtime, 'organizations'>,
  id: string,
  actor: Actor,
  allowed: readonly string[],
): Promise<void> {
  if (hasAnyRole(allowed, actor.powers)) return;
  const standing =
    actor.kind === 'account'
      ? await organizations.query(organizationStream(id), ({ state }) => (state.name ? actorRolesOf(actor, state) : []))
      : actor.powers;
  if (hasAnyRole(allowed, standing)) return;
  if (standing.length === 0) throw new Refused(noSuchOrganization);
  throw new Refused(refuse('not-allowed', `This takes one of: ${allowed.join(', ')}.`));
}
