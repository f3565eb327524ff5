import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { deadlineFromNow, Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import type { Actor } from '@charter/decider';
import { noSuchOrganization, organizationStream, readers, type ActorStanding, standingOf } from '@charter/organization';
import { STORES } from '../../process/parts/stores';
import { requireRole } from '../require-role';

/** The permissions of the caller in one organization, according to the organization's stream. */
export class OrganizationStanding extends Query<ActorStanding> {
  constructor(
    readonly id: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@QueryHandler(OrganizationStanding)
export class OrganizationStandingHandler implements IQueryHandler<OrganizationStanding> {
  constructor(@Inject(STORES) private readonly runtime: Pick<Charter, 'organizations'>) {}

  async execute({ id, actor }: OrganizationStanding) {
    const deadline = deadlineFromNow();
    await requireRole(this.runtime, id, actor, readers, deadline);
    return this.runtime.organizations.query(
      organizationStream(id),
      ({ state }) => (state.name === '' ? refuseUnknown() : standingOf(actor, state)),
      deadline,
    );
  }
}

function refuseUnknown(): never {
  throw new Refused(noSuchOrganization);
}
