import { Inject } from '@nestjs/common';
import type { Charter } from '@charter/application';
import { type Authentication, AUTHENTICATION } from '../../process/parts/authentication';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Gates, GATES } from '../../process/parts/gates';
import { type Lifecycle, LIFECYCLE } from '../../process/parts/lifecycle';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { STORES } from '../../process/parts/stores';
import type { ChangesRuntime } from './answer-changes';

/** The parts of the process that both routes of the change feed use. */
export abstract class ChangeFeedRoute {
  protected readonly runtime: ChangesRuntime &
    Pick<Charter, 'view' | 'organizations'> &
    Pick<Authentication, 'callers'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(LIFECYCLE) lifecycle: Lifecycle,
    @Inject(GATES) gates: Gates,
    @Inject(AUTHENTICATION) authentication: Authentication,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
  ) {
    this.runtime = { ...stores, ...clock, ...lifecycle, ...gates, ...authentication, ...access };
  }
}
