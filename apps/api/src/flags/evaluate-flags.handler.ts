import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { deadlineFromNow, Refused, UnknownRevision } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { auditors, flagReaders, noSuchOrganization, type RefusalReason } from '@charter/organization';
import type { FlagSubject } from '@charter/organization-view';
import type { HistoryReader } from '../history/read-audit';
import type { Asker } from '../http/admission/gate';
import { ProblemError } from '../http/problems/problem';
import { isPast, type QueryTime } from '../organizations/organization-reader';
import { absenceOf, requireRole } from '../organizations/require-role';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { STORES } from '../process/parts/stores';
import { type EvaluatedFlags, flagsQuery } from './flags-query';

/** A query for all flags of a subject at a point in time. */
export class EvaluateFlags extends Query<EvaluatedFlags> {
  constructor(
    readonly subject: FlagSubject,
    readonly when: QueryTime,
    readonly asker: Asker & HistoryReader,
    /** Whether the authentication has already checked the caller's role, as it does for a ticket. */
    readonly isRoleChecked: boolean,
  ) {
    super();
  }
}

@QueryHandler(EvaluateFlags)
export class EvaluateFlagsHandler implements IQueryHandler<EvaluateFlags> {
  private readonly runtime: Charter & Pick<OrganizationAccess, 'reading' | 'recordRead'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  async execute(query: EvaluateFlags): Promise<EvaluatedFlags> {
    try {
      return await this.evaluate(query);
    } catch (error) {
      throw asInvalidContext(error);
    }
  }

  private async evaluate({ subject, when, asker, isRoleChecked }: EvaluateFlags): Promise<EvaluatedFlags> {
    const { runtime } = this;
    const { organization } = subject;
    const deadline = deadlineFromNow();
    if (!isRoleChecked) await requireRole(runtime, organization, asker.actor, flagReaders, deadline);
    // a query about the past needs the permission for flags and the permission for the past
    if (isPast(when)) await requireRole(runtime, organization, asker.actor, auditors, deadline);
    const query = flagsQuery(subject, runtime.settings);
    const answered = await runtime.reading.query(organization, query, when, asker, deadline);
    if (!answered) throw await absenceOf(runtime, organization);
    const { flags, revision } = answered.answer;
    if (!flags) throw noSuchSubject();
    if (isPast(when)) await runtime.recordRead({ type: 'HistoryRead', data: { organization } }, asker);
    return { flags, revision };
  }
}

/**
 * On OFREP's routes, an organization that the caller may not see gets 400. An organization, a site or a person that
 * does not exist gets the same 400, because bulk evaluation has no 404 (`flags.md`, Permission).
 */
function asInvalidContext(error: unknown): unknown {
  if (error instanceof UnknownRevision)
    return invalidContext(`The last revision of the organization is ${error.last}.`);
  if (!(error instanceof Refused)) return error;
  const { refused, detail } = (error as Refused<RefusalReason>).refusal;
  if (refused !== 'no-such-organization') return error;
  // Another detail names the moment of the founding. It only reaches callers who may read the organization.
  return detail === noSuchOrganization.detail ? noSuchSubject() : invalidContext(detail);
}

export const invalidContext = (detail: string) =>
  new ProblemError(400, 'malformed', detail, { errorCode: 'INVALID_CONTEXT' });
const noSuchSubject = () =>
  invalidContext('The targeting key names no organization, site or member whose flags the caller may read.');
