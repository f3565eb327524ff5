import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Charter, createStepReader, type StepBlock, type StepReader } from '@charter/application';
import type { OrganizationCall } from '../../http/request-context';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type HistoryReadParts, readHistory } from '../read-history';
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
  private readonly runtime: Pick<Charter, 'settings'> & HistoryReadParts;
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
    const { productKey: product } = this.runtime.settings;
    return readHistory(this.runtime, id, call, {
      distance: () => this.reader.distance(id, from),
      read: (gone) => this.reader.read({ id, product, only }, { from, to }, gone),
    });
  }
}
