import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { deadlineFromNow, Refused } from '@charter/aggregates';
import type { Charter } from '@charter/application';
import type { Actor } from '@charter/decider';
import {
  type ActorStanding,
  noSuchOrganization,
  type Organization,
  organizationStream,
  readers,
  standingOf,
} from '@charter/organization';
import { mayStartCheckout } from '../../billing/checkout/unsold-commands';
import { type Background, BACKGROUND } from '../../process/parts/background';
import { STORES } from '../../process/parts/stores';
import { requireRole } from '../require-role';

/** The value in the JSON field `may` if the caller may start a checkout at the payment provider. */
export const START_CHECKOUT = 'StartCheckout';

type CallerStanding = Omit<ActorStanding, 'may'> &
  Readonly<{
    may: readonly (ActorStanding['may'][number] | typeof START_CHECKOUT)[];
    /** Present if the read model cannot process an event of the organization. */
    parked?: true;
  }>;

/** The permissions of the caller in one organization, according to the organization's stream. */
export class OrganizationStanding extends Query<CallerStanding> {
  constructor(
    readonly id: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

@QueryHandler(OrganizationStanding)
export class OrganizationStandingHandler implements IQueryHandler<OrganizationStanding> {
  constructor(
    @Inject(STORES) private readonly runtime: Pick<Charter, 'organizations' | 'view'>,
    @Inject(BACKGROUND) private readonly background: Pick<Background, 'billing'>,
  ) {}

  async execute({ id, actor }: OrganizationStanding) {
    const deadline = deadlineFromNow();
    await requireRole(this.runtime, id, actor, readers, deadline);
    const stream = organizationStream(id);
    const standing = await this.runtime.organizations.query(
      stream,
      ({ state }) => (state.name === '' ? refuseUnknown() : this.standingIn(state, actor)),
      deadline,
    );
    // The permissions come from the event log alone, so the caller gets them even if the read model does not answer.
    const isParked = await this.runtime.view.isParked(stream).catch(() => false);
    return { ...standing, ...(isParked && { parked: true as const }) };
  }

  private standingIn(organization: Organization, actor: Actor): CallerStanding {
    const { may, ...standing } = standingOf(actor, organization);
    const mayBuy = mayStartCheckout(this.background, organization, actor);
    return { ...standing, may: mayBuy ? [...may, START_CHECKOUT] : may };
  }
}

function refuseUnknown(): never {
  throw new Refused(noSuchOrganization);
}
