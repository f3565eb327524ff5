import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Receipt, Refused, RevisionMismatch } from '@charter/aggregates';
import { type BillingFact, reconciled } from '@charter/billing';
import type { Moment } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import {
  billingReaders,
  type CommandData,
  noSuchOrganization,
  type OrganizationEvent,
  organizationStream,
  sellers,
} from '@charter/organization';
import type { Asker } from '../http/admission/gate';
import { ProblemError } from '../http/problems/problem';
import { requireRole } from '../organizations/require-role';
import {
  type Charter,
  createStateReader,
  releaseAbandonedClaim,
  releaseUnlessLinked,
  settleCustomerLink,
} from '@charter/application';
import { retrying } from '../process/work/background-work';
import { STORES } from '../process/parts/stores';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type OrganizationAccess, ORGANIZATION_ACCESS } from '../process/parts/organization-access';
import { type Background, BACKGROUND } from '../process/parts/background';
import { type Gates, GATES } from '../process/parts/gates';

/** Links a payment provider's customer to an organization. */
export class LinkBillingCustomer extends Command<Receipt<OrganizationEvent>> {
  constructor(
    readonly id: string,
    readonly account: CommandData<'LinkBillingAccount'>,
    readonly context: Envelope,
  ) {
    super();
  }
}

@CommandHandler(LinkBillingCustomer)
export class LinkBillingCustomerHandler implements ICommandHandler<LinkBillingCustomer> {
  private readonly runtime: Pick<Charter, 'database' | 'log' | 'organizations'> &
    Clock &
    Pick<OrganizationAccess, 'commands'> &
    Pick<Background, 'backgroundWork' | 'billing'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(ORGANIZATION_ACCESS) access: OrganizationAccess,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...access, ...background };
  }

  async execute({ id, account, context }: LinkBillingCustomer) {
    // First checks the caller's role, so that only callers with permission claim a customer.
    await requireRole(this.runtime, id, context.actor, sellers);
    const receipt = await this.linkWithClaim(id, account, () =>
      this.runtime.commands.execute(id, { type: 'LinkBillingAccount', data: account }, context),
    );
    // Applies the customer's waiting messages. If Charter cannot apply the messages now, the customer stays linked, and
    // `retryUnfinishedMessages` applies the messages later.
    this.runtime.backgroundWork.add(
      'billing',
      id,
      retrying(() => this.runtime.billing.applyLinked(id)),
    );
    return receipt;
  }

  /**
   * First claims the customer in the tables, because an organization's stream does not show whether another
   * organization has linked this customer. Then executes the command that links the customer. If the command is
   * refused, releases the claim. The new link replaces the organization's former customers of the same provider, also
   * after a link to another provider. Messages of a former customer wait until that customer is linked again. If the
   * event log does not answer, the claim stays, because the command may have succeeded. When the caller repeats the
   * request, Charter uses the claim of the first request. If the caller does not repeat the request, another
   * organization can link the customer after a minute.
   */
  private async linkWithClaim(
    id: string,
    { provider, customer }: CommandData<'LinkBillingAccount'>,
    link: () => Promise<Receipt<OrganizationEvent>>,
  ): Promise<Receipt<OrganizationEvent>> {
    const { billing, database } = this.runtime;
    const { customers } = database;
    await billing.customersFollowed();
    const claimedAt = this.runtime.now();
    const claimCustomer = () => customers.claim(provider, customer, id, claimedAt);
    let claim = await claimCustomer();
    if (claim === 'taken') {
      await releaseAbandonedClaim(this.runtime, { provider, customer }, claimedAt);
      claim = await claimCustomer();
    }
    if (claim === 'taken')
      throw new ProblemError(409, 'customer-taken', 'This customer belongs to another organization.', {
        provider,
        customer,
      });
    const linked = { organization: id, provider, customer };
    const receipt = await link().catch(async (error: unknown) => {
      const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
      // Another request may have used this claim to link the customer to the same organization.
      if (isRefused && claim === 'new') await releaseUnlessLinked(this.runtime, linked, claimedAt);
      throw error;
    });
    // If the process crashes here, the next process that starts releases the claims on former customers.
    await settleCustomerLink(this.runtime, linked, this.runtime.now());
    return receipt;
  }
}

/** Compares the paid plans and add-ons of an organization with its granted plans and add-ons, at a moment. */
export class ReconcileBilling extends Query<
  ReturnType<typeof reconciled> & { organization: string; revision: number }
> {
  constructor(
    readonly id: string,
    readonly at: Moment,
    readonly caller: Asker,
  ) {
    super();
  }
}

@QueryHandler(ReconcileBilling)
export class ReconcileBillingHandler implements IQueryHandler<ReconcileBilling> {
  private readonly runtime: Pick<Charter, 'database' | 'log' | 'organizations' | 'snapshotReplay'> &
    Pick<Gates, 'gate'>;

  constructor(@Inject(STORES) stores: Charter, @Inject(GATES) gates: Gates) {
    this.runtime = { ...stores, ...gates };
  }

  async execute({ id, at, caller }: ReconcileBilling) {
    await requireRole(this.runtime, id, caller.actor, billingReaders);
    const { database, gate } = this.runtime;
    const { read } = await createStateReader(this.runtime).prepare(organizationStream(id), { valid: at });
    const then = await gate(caller, read);
    if (!then) throw new Refused(noSuchOrganization);
    // Reads all messages, also those from before the founding: a customer can pay for a plan before its organization is
    // founded.
    const messages = await database.inbox.ofOrganization<BillingFact>(id);
    const facts = messages.map(({ fact }) => fact);
    return { organization: id, revision: then.revision, ...reconciled(id, then.state, facts, at) };
  }
}
