import { Inject } from '@nestjs/common';
import { Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import { auditors, noSuchOrganization } from '@charter/organization';
import type { OrganizationCall } from '../http/request-context';
import { LONG_EVENTS } from '../organizations/organization-reader';
import { requireRole } from '../organizations/require-role';
import { type Gates, GATES } from '../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { STORES } from '../process/parts/stores';
import { createTurns } from '../process/work/turns';

/** The parts of the process that the handlers of reads of a history use, and the rules of these reads. */
export abstract class HistoryReadHandler {
  protected readonly runtime: Charter & Gates & OrganizationAccess;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...gates, ...access };
  }

  /**
   * Reads an organization's history for a caller whose role permits this read, and records the read in the caller's
   * audit stream.
   * @throws Refused 404 or 403, and the errors of the gate and of `read`; after such an error no read is recorded
   */
  protected async readHistory<Answer>(
    id: string,
    { context, response }: OrganizationCall,
    { distance, read }: HistoryRead<Answer>,
  ): Promise<Answer> {
    await requireRole(this.runtime, id, context.actor, auditors);
    const isLong = (await distance()) >= LONG_EVENTS;
    const answer = await (isLong ? this.runtime.gate({ ...context, response }, read) : turn().then(() => read()));
    if (answer === undefined) throw new Refused(noSuchOrganization);
    await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, context);
    return answer;
  }
}

const turn = createTurns();

/** A read of an organization's history. */
type HistoryRead<Answer> = Readonly<{
  /** The number of events that the read loads. If the number is large, the read needs a slot of the gate. */
  distance: () => number | Promise<number>;
  /** Resolves with `undefined` if the organization does not exist. `gone` aborts the read. */
  read: (gone?: AbortSignal) => Promise<Answer | undefined>;
}>;
