import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { createNamedIdsReader } from '@charter/application';
import type { OrganizationCall } from '../../http/request-context';
import { HistoryReadHandler } from '../history-read-handler';
import { namedPeople } from './names';
import type { NameEntry } from './names.requests';

/** The names of the actors and members in a history, by id. */
export class OrganizationNames extends Query<Readonly<Record<string, NameEntry>>> {
  constructor(
    readonly id: string,
    readonly ids: readonly string[],
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationNames)
export class OrganizationNamesHandler extends HistoryReadHandler implements IQueryHandler<OrganizationNames> {
  private readonly reader = createNamedIdsReader(this.runtime);

  async execute({ id, ids, call }: OrganizationNames) {
    const named = await this.readHistory(id, call, {
      distance: () => this.reader.distance(id),
      read: (gone) => this.reader.read(id, gone),
    });
    const wanted = new Map(ids.flatMap((one) => (named.has(one) ? [[one, named.get(one)!]] : [])));
    return namedPeople(this.runtime, id, wanted, call.context.actor);
  }
}
