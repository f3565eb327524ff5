import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Envelope } from '@charter/event-log';
import { RUNTIME, type Runtime } from '../../process/runtime';
import { type AddedMember, addMemberByIdOrEmail, type NewMemberRequest } from './add-member';

/** A new member of one organization, named by id or by e-mail address. */
export class AddOrganizationMember extends Command<AddedMember> {
  constructor(
    readonly id: string,
    readonly wish: NewMemberRequest,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(AddOrganizationMember)
export class AddOrganizationMemberHandler implements ICommandHandler<AddOrganizationMember> {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  execute({ id, wish, context }: AddOrganizationMember) {
    return addMemberByIdOrEmail(this.runtime, id, wish, context);
  }
}
