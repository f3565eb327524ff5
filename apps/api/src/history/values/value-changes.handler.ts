import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Charter, createValueReader, type ValueChanges, type ValueReader } from '@charter/application';
import { organizationStream } from '@charter/organization';
import { isValuePath, namesEntry, valueFields } from '@charter/organization-view';
import { malformedRequest } from '../../http/problems/problem';
import type { OrganizationCall } from '../../http/request-context';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type HistoryReadParts, readHistory } from '../read-history';
import type { ValueChangesQuery } from './value-changes.requests';

/** The changes of one value of an organization. */
export class OrganizationValueChanges extends Query<ValueChanges> {
  constructor(
    readonly id: string,
    readonly query: ValueChangesQuery,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationValueChanges)
export class OrganizationValueChangesHandler implements IQueryHandler<OrganizationValueChanges> {
  private readonly runtime: Pick<Charter, 'settings'> & HistoryReadParts;
  private readonly reader: ValueReader;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...gates, ...access };
    this.reader = createValueReader(stores);
  }

  async execute({ id, query: { path, order, cursor, limit }, call }: OrganizationValueChanges) {
    const { organizations, settings } = this.runtime;
    const product = settings.productKey;
    return readHistory(this.runtime, id, call, {
      distance: () => organizations.query(organizationStream(id), ({ revision }) => revision),
      read: async (gone) => {
        if (!isValuePath(path, product))
          throw unknownPath(`names nothing. A path begins with one of: ${valueFields(product).join(', ')}`);
        const answer = await this.reader.read({ id, product, path }, { order, limit, beyond: cursor?.[1] }, gone);
        if (answer?.changes.length === 0 && cursor === undefined && namesEntry(path))
          throw unknownPath('names an entry that this organization never had');
        return answer;
      },
    });
  }
}

const unknownPath = (message: string) => malformedRequest([{ path: 'path', message }]);
