import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createStepReader, type StepBlock } from '@charter/application';
import type { OrganizationCall } from '../../http/request-context';
import { HistoryReadHandler } from '../history-read-handler';
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
export class OrganizationStepsHandler extends HistoryReadHandler implements IQueryHandler<OrganizationSteps> {
  private readonly reader = createStepReader(this.runtime);

  async execute({ id, query: { from, to, only }, call }: OrganizationSteps) {
    const { productKey: product } = this.runtime.settings;
    return this.readHistory(id, call, {
      distance: () => this.reader.distance(id, from),
      read: (gone) => this.reader.read({ id, product, only }, { from, to }, gone),
    });
  }
}
