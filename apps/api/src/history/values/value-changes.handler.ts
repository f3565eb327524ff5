import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Refused } from '@charter/aggregates';
import { type Charter, createValueReader, type ValueChanges, type ValueReader } from '@charter/application';
import { auditors, noSuchOrganization, organizationStream } from '@charter/organization';
import { isValuePath, namesEntry, valueFields } from '@charter/organization-view';
import { malformedRequest } from '../../http/problems/problem';
import type { OrganizationCall } from '../../http/request-context';
import { LONG_EVENTS } from '../../organizations/organization-reader';
import { requireRole } from '../../organizations/require-role';
import { type Gates, GATES } from '../../process/parts/gates';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
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
  private readonly runtime: Pick<Charter, 'organizations' | 'settings'> &
    Pick<Gates, 'gate'> &
    Pick<OrganizationAccess, 'recordRead'>;
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
    const { gate, organizations, recordRead, settings } = this.runtime;
    const product = settings.productKey;
    await requireRole(this.runtime, id, call.context.actor, auditors);
    if (!isValuePath(path, product))
      throw unknownPath(`names nothing. A path begins with one of: ${valueFields(product).join(', ')}`);
    const wanted = { order, limit, beyond: cursor?.[1] };
    const read = (gone?: AbortSignal) => this.reader.read({ id, product, path }, wanted, gone);
    const head = await organizations.query(organizationStream(id), ({ revision }) => revision);
    const answer = await (head >= LONG_EVENTS ? gate({ ...call.context, response: call.response }, read) : read());
    if (!answer) throw new Refused(noSuchOrganization);
    await recordRead({ type: 'HistoryRead', data: { organization: id } }, call.context);
    if (cursor === undefined && answer.changes.length === 0 && namesEntry(path))
      throw unknownPath('names an entry that this organization never had');
    return answer;
  }
}

const unknownPath = (message: string) => malformedRequest([{ path: 'path', message }]);
