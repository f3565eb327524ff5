import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused } from '@charter/aggregates';
import { type Charter, createNamedIdsReader, type NamedIdsReader } from '@charter/application';
import { auditors, noSuchOrganization } from '@charter/organization';
import type { OrganizationCall } from '../../http/request-context';
import { LONG_EVENTS } from '../../organizations/organization-reader';
import { requireRole } from '../../organizations/require-role';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import { namedPeople } from './names';
import type { NameEntry } from './names.requests';

/** The names of actors and members, by id. */
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
  private readonly runtime: Pick<Charter, 'database' | 'organizations'> &
    Pick<Gates, 'gate'> &
    Pick<OrganizationAccess, 'recordRead'>;
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
    const { context, response } = call;
    await requireRole(this.runtime, id, context.actor, auditors);
    const read = (gone?: AbortSignal) => this.reader.read(id, gone);
    const isLong = (await this.reader.distance(id)) >= LONG_EVENTS;
    const named = await (isLong ? this.runtime.gate({ ...context, response }, read) : read());
    if (!named) throw new Refused(noSuchOrganization);
    await this.runtime.recordRead({ type: 'HistoryRead', data: { organization: id } }, context);
    const wanted = new Map(ids.flatMap((one) => (named.has(one) ? [[one, named.get(one)!]] : [])));
    return namedPeople(this.runtime, id, wanted, context.actor);
  }
}
