import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Charter, signOrganizationCheckpoint } from '@charter/application';
import { auditors } from '@charter/organization';
import type { OrganizationCall } from '../../http/request-context';
import { requireRole } from '../../organizations/require-role';
import { type Gates, GATES } from '../../process/parts/gates';
import { STORES } from '../../process/parts/stores';
import { refuseToSign } from './refuse-to-sign';

/** Signs a checkpoint that covers the whole history of an organization. */
export class OrganizationCheckpoint extends Query<string> {
  constructor(
    readonly id: string,
    readonly call: OrganizationCall,
  ) {
    super();
  }
}

@QueryHandler(OrganizationCheckpoint)
export class OrganizationCheckpointHandler implements IQueryHandler<OrganizationCheckpoint> {
  private readonly runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations' | 'signer'> &
    Pick<Gates, 'gate'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(GATES) gates: Gates) {
    this.runtime = { ...stores, ...gates };
  }

  async execute({ id, call: { context, response } }: OrganizationCheckpoint) {
    await requireRole(this.runtime, id, context.actor, auditors);
    return this.runtime
      .gate({ actor: context.actor, response }, (gone) =>
        signOrganizationCheckpoint(this.runtime, id, context.at, gone),
      )
      .catch(refuseToSign);
  }
}
