import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused } from '@charter/aggregates';
import { type Charter, createStepReader, type StepBlock, type StepReader } from '@charter/application';
import { auditors, noSuchOrganization } from '@charter/organization';
import type { OrganizationCall } from '../../http/request-context';
import { LONG_EVENTS } from '../../organizations/organization-reader';
import { requireRole } from '../../organizations/require-role';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import type { StepsQuery } from './steps.requests';

/** The changes that each event of a range makes to the values in the API's answers. */
export class OrganizationSteps extends Query<StepBlock> {
  constructor(
    readonly id: string,
    readonly query: StepsQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationSteps)
export class OrganizationStepsHandler implements IQueryHandler<OrganizationSteps> {
  private readonly runtime: Pick<Charter, 'organizations' | 'settings'> &
    Pick<Gates, 'gate'> &
    Pick<OrganizationAccess, 'recordRead'>;
  private readonly reader: StepReader;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...gates, ...access };
    this.reader = createStepReader(stores);
  }

  async execute({ id, query: { from, to, only }, call }: OrganizationSteps) {
    const { gate, recordRead, settings } = this.runtime;
    await requireRole(this.runtime, id, call.context.actor, auditors);
    const read = (gone?: AbortSignal) =>
      this.reader.read({ id, product: settings.productKey, only }, { from, to }, gone);
    const isLong = this.reader.distance(id, from) >= LONG_EVENTS;
    const block = await (isLong ? gate({ ...call.context, response: call.response }, read) : read());
    if (!block) throw new Refused(noSuchOrganization);
    await recordRead({ type: 'HistoryRead', data: { organization: id } }, call.context);
    return block;
  }
}
