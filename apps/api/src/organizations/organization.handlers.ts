import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Actor, refuse } from '@charter/decider';
import { type Receipt, Refused } from '@charter/aggregates';
import type { Envelope } from '@charter/event-log';
import {
  auditors,
  isAny,
  noSuchOrganization,
  type OrganizationCommand,
  type OrganizationEvent,
  organizationStream,
  readers,
  standingOf,
} from '@charter/organization';
import type { Question } from '@charter/organization-view';
import { forgetClosed } from './forget-closed';
import { isMemberSomewhere } from '../account/memberships';
import type { Reader } from '../history/read-audit';
import { type Answered, isPast, type When } from './organization-reader';
import type { Asker } from '../http/admission/gate';
import { RUNTIME, type Runtime } from '../process/runtime';

/** One or several commands to one organization: all in one append, or none. */
export class TellOrganization extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly command: OrganizationCommand | readonly OrganizationCommand[],
    readonly by: Envelope,
  ) {
    super();
  }
}

/** A question about one organization, at one moment. */
export class AskOrganization<Answer> extends Query<Answered<Answer>> {
  constructor(
    readonly id: string,
    readonly question: Question<Answer>,
    readonly when: When,
    readonly asker: Asker & Reader,
  ) {
    super();
  }
}

@CommandHandler(TellOrganization)
export class TellOrganizationHandler implements ICommandHandler<TellOrganization> {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  execute({ id, command, by }: TellOrganization) {
    return tellOrganization(this.runtime, id, command, by);
  }
}

@QueryHandler(AskOrganization)
export class AskOrganizationHandler implements IQueryHandler<AskOrganization<unknown>> {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async execute({ id, question, when, asker }: AskOrganization<unknown>) {
    const { reading } = this.runtime;
    await permitted(this.runtime, id, asker.actor, isPast(when) ? auditors : readers); // the past is for those who may audit
    const answered = await reading.ask(id, question, when, asker);
    if (!answered) throw new Refused(noSuchOrganization);
    if (isPast(when)) await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, asker);
    return answered;
  }
}

/** What the handler does, for the hot routes too. What was acknowledged is shown from then on. */
export async function tellOrganization(
  runtime: Pick<Runtime, 'organizations' | 'reading' | 'counts' | 'documents' | 'log' | 'view'>,
  id: string,
  command: TellOrganization['command'],
  by: Envelope,
): Promise<Receipt<OrganizationEvent>> {
  const { organizations, reading, counts } = runtime;
  const receipt = await organizations.tell(organizationStream(id), command, by).catch((error: unknown) => {
    counts.told(command, error instanceof Refused ? String(error.refusal.refused) : 'failed');
    throw error;
  });
  if (receipt.events.length > 0) reading.acknowledged(id, receipt.revision, receipt.position);
  counts.told(command, receipt.events.length > 0 ? 'accepted' : 'nothing-new');
  await takeBackInvitations(runtime, receipt.events);
  await forgetClosed(runtime, id, command, receipt.events);
  return receipt;
}

/** Whoever was removed before they ever came, and belongs nowhere else, has nothing to come with (`acceptance.md` H10). */
async function takeBackInvitations(
  runtime: Parameters<typeof tellOrganization>[0],
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
export async function permitted(
  { organizations }: Pick<Runtime, 'organizations'>,
  id: string,
  actor: Actor,
  allowed: readonly string[],
): Promise<void> {
  if (isAny(allowed, actor.powers)) return;
  const standing =
    actor.kind === 'account'
      ? await organizations.look(organizationStream(id), ({ state }) => (state.name ? standingOf(actor, state) : []))
      : actor.powers;
  if (isAny(allowed, standing)) return;
  if (standing.length === 0) throw new Refused(noSuchOrganization);
  throw new Refused(refuse('not-allowed', `This takes one of: ${allowed.join(', ')}.`));
}
