import type { Folded, Immutable, Moment } from '@charter/decider';
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { NotAsShown, Refused } from '@charter/aggregates';
import { type Charter, type CommandPreview, previewNow, previewOn, previewOnPresent } from '@charter/application';
import type { NotSold } from '@charter/billing';
import type { Envelope } from '@charter/event-log';
import {
  auditors,
  namesEarlierSale,
  noSuchOrganization,
  type Organization,
  type OrganizationCommand,
  organizationStream,
  readers,
} from '@charter/organization';
import { factsForPreview, unsoldCommands } from '../../billing/checkout/unsold-commands';
import type { HistoryReader } from '../../history/read-audit';
import type { Asker } from '../../http/admission/gate';
import { ProblemError, problemOf } from '../../http/problems/problem';
import { type Background, BACKGROUND } from '../../process/parts/background';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { createTurns } from '../../process/work/turns';
import { isPast } from '../organization-reader';
import { absenceOf, requireRole } from '../require-role';
import type { PreviewQuery } from './previews.requests';

export type PrintedPreview = Omit<CommandPreview, 'refused'> &
  Readonly<{ refused?: RefusedCommand; alsoRefused?: RefusedCommand[]; notSold?: readonly NotSold[] }>;
type PresentPreview = CommandPreview & Readonly<{ notSold?: readonly NotSold[] | undefined }>;
type RefusedCommand = Readonly<{ index: number; problem: Immutable<Record<string, unknown>> }>;

/** Computes the effect of commands on an organization, now or at a moment of the past, and writes nothing. */
export class PreviewCommands extends Query<PrintedPreview> {
  constructor(
    readonly id: string,
    readonly commands: readonly OrganizationCommand[],
    readonly context: Envelope,
    readonly query: PreviewQuery,
    readonly asker: Asker & HistoryReader,
    readonly from: 'one change' | 'a list',
  ) {
    super();
  }
}

@QueryHandler(PreviewCommands)
export class PreviewCommandsHandler implements IQueryHandler<PreviewCommands> {
  private readonly runtime: Pick<Charter, 'organizations' | 'catalogue' | 'settings' | 'database'> &
    Pick<OrganizationAccess, 'reading' | 'recordRead'> &
    Pick<Background, 'billing'>;
  private readonly turn = createTurns();

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...access, ...background };
  }

  async execute(request: PreviewCommands) {
    const { id, commands, context, query, from } = request;
    await requireRole(this.runtime, id, context.actor, isPast(query) ? auditors : viewersOf(commands));
    const { notSold, ...preview } = await (isPast(query) ? this.inThePast(request) : this.atPresent(request));
    const [first] = preview.refused;
    if (first && !query.lenient) throw new Refused(first.refusal, from === 'a list' ? first.index : undefined);
    return { ...printedPreview(preview), ...(notSold && { notSold }) };
  }

  /** The effect of the commands, and the unsold commands, both computed from the same state of the organization. */
  private async atPresent(request: PreviewCommands): Promise<PresentPreview> {
    await this.turn();
    const facts = await factsForPreview(this.runtime, request);
    return this.runtime.organizations.query(organizationStream(request.id), (present) => {
      if (present.revision < 0) throw new Refused(noSuchOrganization);
      const preview = previewOnPresent(this.runtime, wanted(request), present);
      const notSold = facts && unsoldCommands(this.runtime, request, present.state, preview, facts);
      return { ...preview, notSold };
    });
  }

  private async inThePast(request: PreviewCommands): Promise<PresentPreview> {
    const { id, query, asker } = request;
    const question = (given: Folded<Organization>, at: Moment) => previewOn(this.runtime, wanted(request), given, at);
    const answered = await this.runtime.reading.query(id, question, query, asker);
    if (!answered) throw await absenceOf(this.runtime, id);
    await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, asker);
    return answered.answer;
  }
}

/**
 * The roles that may see the effect of these commands. Only auditors may see the terms of an earlier sale, because
 * earlier terms are part of the history.
 */
const viewersOf = (commands: readonly OrganizationCommand[]) => (commands.some(namesEarlierSale) ? auditors : readers);

const wanted = ({ id, commands, context, query: { lenient } }: PreviewCommands) => ({
  ...{ id, commands, context },
  isLenient: lenient,
});

/** The preview with a problem document for each refused command. */
export function printedPreview({ refused, ...preview }: CommandPreview): PrintedPreview {
  const [first, ...others] = refused.map(({ index, refusal }) => ({
    index,
    problem: problemOf(new Refused(refusal, index)).problem as RefusedCommand['problem'],
  }));
  return { ...preview, ...(first && { refused: first }), ...(others.length > 0 && { alsoRefused: others }) };
}

/**
 * Turns `NotAsShown` into a 409. If the caller may see a preview of the commands, the 409 contains the effect that the
 * commands would have now. The caller can compare the new effect with the preview.
 */
export async function explainNotAsShown(
  stores: Pick<Charter, 'organizations' | 'catalogue' | 'settings'>,
  id: string,
  commands: readonly OrganizationCommand[],
  context: Envelope,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof NotAsShown)) return error;
  const effect = await effectNow(stores, id, commands, context);
  return new ProblemError(
    409,
    'not-as-shown',
    'The commands would now record other events than the preview has shown, so Charter executed none of them. Request a new preview.',
    { ...effect, was: context.shown },
  );
}

async function effectNow(
  stores: Pick<Charter, 'organizations' | 'catalogue' | 'settings'>,
  id: string,
  commands: readonly OrganizationCommand[],
  context: Envelope,
) {
  try {
    await requireRole(stores, id, context.actor, viewersOf(commands));
  } catch (error) {
    if (error instanceof Refused) return {};
    throw error;
  }
  const now = printedPreview(await previewNow(stores, { id, commands, context, isLenient: true }));
  const { shown, refused, revision, limits, features, events } = now;
  return { ...(shown && { shown }), revision, limits, features, events, ...(refused && { refused }) };
}
