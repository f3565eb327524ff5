import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Charter } from '@charter/application';
import type { z } from 'zod';
import type { Caller } from '../http/authentication/caller';
import { listOrganizations, type OrganizationRows } from './list-organizations';
import type { OrganizationsQuery } from './organization.requests';
import { STORES } from '../process/parts/stores';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';

/** Lists the organizations that a caller may see, sorted by name. */
export class ListOrganizations extends Query<OrganizationRows> {
  constructor(
    readonly query: z.infer<typeof OrganizationsQuery>,
    readonly caller: Caller,
  ) {
    super();
  }
}

@QueryHandler(ListOrganizations)
export class ListOrganizationsHandler implements IQueryHandler<ListOrganizations> {
  private readonly runtime: Parameters<typeof listOrganizations>[0];

  constructor(@Inject(STORES) stores: Charter, @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess) {
    this.runtime = { ...stores, ...access };
  }

  execute({ query, caller }: ListOrganizations): Promise<OrganizationRows> {
    return listOrganizations(this.runtime, query, caller);
  }
}
