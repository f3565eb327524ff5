import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Envelope } from '@charter/event-log';
import { type AddedMember, addMemberByIdOrEmail, type NewMemberRequest } from './add-member';
import type { Charter } from '@charter/application';
import { STORES } from '../../process/parts/stores';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../../process/parts/organization-access';
import { type Background, BACKGROUND } from '../../process/parts/background';

/** Adds a member to an organization; the request names the person by id or by e-mail address. */
export class AddOrganizationMember extends Command<AddedMember> {
  constructor(
    readonly id: string,
    readonly request: NewMemberRequest,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(AddOrganizationMember)
export class AddOrganizationMemberHandler implements ICommandHandler<AddOrganizationMember> {
  private readonly runtime: Pick<
    Charter,
    'settings' | 'log' | 'database' | 'view' | 'organizations' | 'trail' | 'accounts'
  > &
    Clock &
    Pick<OrganizationAccess, 'commands'> &
    Pick<Background, 'mails'>;

  constructor(
    @Inject(STORES)
    stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...access, ...background };
  }

  execute({ id, request, context }: AddOrganizationMember) {
    return addMemberByIdOrEmail(this.runtime, id, request, context);
  }
}
