import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Charter, createNamedIdsReader, type NamedIdsReader } from '@charter/application';
import type { OrganizationCall } from '../../http/request-context';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { type HistoryReadParts, readHistory } from '../read-history';
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
export class OrganizationNamesHandler implements IQueryHandler<OrganizationNames> {
  private readonly runtime: Pick<Charter, 'database'> & HistoryReadParts;
  private readonly reader: NamedIdsReader;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(GATES) gates: Gates,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...gates, ...access };
    this.reader = createNamedIdsReader(stores);
  }

  async execute({ id, ids, call }: OrganizationNames) {
    const named = await readHistory(this.runtime, id, call, {
      distance: () => this.reader.distance(id),
      read: (gone) => this.reader.read(id, gone),
    });
    const wanted = new Map(ids.flatMap((one) => (named.has(one) ? [[one, named.get(one)!]] : [])));
    return namedPeople(this.runtime, id, wanted, call.context.actor);
  }
}
