import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Receipt, Refused, RevisionMismatch } from '@charter/aggregates';
import { type BillingFact, reconciled } from '@charter/billing';
import type { Moment } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import {
  type CommandData,
  noSuchOrganization,
  type OrganizationEvent,
  organizationStream,
  sellers,
} from '@charter/organization';
import type { Asker } from '../http/admission/gate';
import { orUnavailable, ProblemError } from '../http/problems/problem';
import { requireRole } from '../organizations/require-role';
import { RUNTIME, type Runtime } from '../process/runtime';

/** The payment provider's customer of an organization. */
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
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async execute({ id, account, context }: LinkBillingCustomer) {
    await requireRole(this.runtime, id, context.actor, sellers); // nobody else claims anything
    const receipt = await this.claimed(id, account, () =>
      this.runtime.commands.execute(id, { type: 'LinkBillingAccount', data: account }, context),
    );
    // Whatever becomes of that, the link stands; what still waits is looked at by operators.
    this.runtime.backgroundWork.add('what waited for a customer', () => this.runtime.billing.linked(id));
    return receipt;
  }

  /**
   * Claimed before it is told, because no stream of one organization knows of another's; given back when that is refused. The
   * customer of the same provider that was linked before is free then: what comes of it waits until somebody links it. When
   * the log gives no answer the claim stays: it may have happened, and the same request again goes on with it.
   */
  private async claimed(
    id: string,
    { provider, customer }: CommandData<'LinkBillingAccount'>,
    link: () => Promise<Receipt<OrganizationEvent>>,
  ): Promise<Receipt<OrganizationEvent>> {
    const { billing, documents, organizations } = this.runtime;
    const { customers } = documents;
    await orUnavailable(billing.customersFollowed());
    const former = await organizations.query(organizationStream(id), ({ state }) => state.billingAccount);
    const claim = await orUnavailable(customers.claim(provider, customer, id, this.runtime.now()));
    if (claim === 'taken')
      throw new ProblemError(409, 'customer-taken', 'This customer belongs to another organization.', {
        provider,
        customer,
      });
    const receipt = await link().catch(async (error: unknown) => {
      const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
      if (isRefused && claim === 'new') await customers.takeBack(provider, customer, id);
      throw error;
    });
    if (former?.provider === provider && former.customer !== customer)
      await orUnavailable(customers.takeBack(provider, former.customer, id)); // who dies before this: it is followed at start
    return receipt;
  }
}

/** Whether what is paid for is what is granted, at a moment. */
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
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  async execute({ id, at, caller }: ReconcileBilling) {
    await requireRole(this.runtime, id, caller.actor, sellers);
    const { organizations, documents, gate } = this.runtime;
    const stream = organizationStream(id);
    const then = await gate(caller, (gone) => organizations.replay(stream, { valid: at, signal: gone }));
    if (!then) throw new Refused(noSuchOrganization); // what was paid for may be in force from before it was founded
    const messages = await orUnavailable(documents.inbox.ofOrganization<BillingFact>(id));
    const facts = messages.map(({ fact }) => fact);
    return { organization: id, revision: then.revision, ...reconciled(id, then.state, facts, at) };
  }
}
