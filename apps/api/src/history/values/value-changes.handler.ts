import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createValueReader, type ValueChanges } from '@charter/application';
import { organizationStream } from '@charter/organization';
import { isValuePath, namesEntry, valueFields } from '@charter/organization-view';
import { malformedRequest } from '../../http/problems/problem';
import type { OrganizationCall } from '../../http/request-context';
import { HistoryReadHandler } from '../history-read-handler';
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
export class OrganizationValueChangesHandler
  extends HistoryReadHandler
  implements IQueryHandler<OrganizationValueChanges>
{
  private readonly reader = createValueReader(this.runtime);

  async execute({ id, query: { path, order, cursor, limit }, call }: OrganizationValueChanges) {
    const { organizations, settings } = this.runtime;
    const product = settings.productKey;
    return this.readHistory(id, call, {
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
