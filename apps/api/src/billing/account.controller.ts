import { Body, Controller, Get, Inject, Param, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Fact, reconciled } from '@charter/billing';
import { NotAsSeen, type Receipt, Refused } from '@charter/aggregates';
import {
  type CommandData,
  noSuchOrganization,
  type OrganizationEvent,
  organizationStream,
  schemaOf,
  sellers,
  words,
} from '@charter/organization';
import { z } from 'zod';
import { printedReceipt } from '../http/answers';
import { permitted, tellOrganization } from '../organizations/organization.handlers';
import { type Call, OnCall } from '../http/request-context';
import { Once } from '../http/idempotency';
import { fromStore, Stop } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';

const Id = { schema: words.Id };
const At = z.strictObject({ at: words.When.optional() });

/** An organization and its payment provider: whose customer it is, and whether what is paid for is what is granted. */
@ApiTags('Billing')
@ApiBearerAuth()
@UseInterceptors(Once)
@Controller('api/v1/organizations/:id')
export class BillingAccountController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Put('billing-account')
  @ApiOperation({
    summary: "Link the payment provider's customer to the organization",
    description:
      'One customer belongs to one organization. What waited for this customer is applied; the one of the same provider that was linked before is free.',
  })
  async link(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('LinkBillingAccount') }) account: CommandData<'LinkBillingAccount'>,
    @OnCall() { by, response }: Call,
  ) {
    await permitted(this.runtime, id, by.actor, sellers); // nobody else claims anything
    const receipt = await this.claimed(id, account, () =>
      tellOrganization(this.runtime, id, { type: 'LinkBillingAccount', data: account }, by),
    );
    // Whatever becomes of that, the link stands; what still waits is looked at by operators.
    this.runtime.afterwards.add('what waited for a customer', () => this.runtime.billing.linked(id));
    return printedReceipt(receipt, response);
  }

  @Get('billing/reconciliation')
  @ApiOperation({
    summary: 'What was paid for and not granted, and granted and not paid for, now or at any moment',
    description: 'What a person granted is told apart by `"by": "hand"`.',
  })
  async reconcile(
    @Param('id', Id) id: string,
    @Query({ schema: At }) { at }: z.infer<typeof At>,
    @OnCall() { by, response }: Call,
  ) {
    await permitted(this.runtime, id, by.actor, sellers);
    const { organizations, documents, gate } = this.runtime;
    const stream = organizationStream(id);
    const then = await gate({ actor: by.actor, response }, (gone) =>
      organizations.past(stream, { valid: at ?? by.at, gone }),
    );
    if (!then) throw new Refused(noSuchOrganization); // what was paid for may be in force from before it was founded
    const messages = await fromStore(documents.inbox.ofOrganization<Fact>(id));
    const facts = messages.map(({ fact }) => fact);
    return { organization: id, revision: then.revision, ...reconciled(id, then.state, facts, at ?? by.at) };
  }

  /**
   * Claimed before it is told, because no stream of one organization knows of another's; given back when that is refused. The
   * customer of the same provider that was linked before is free then: what comes of it waits until somebody links it. When
   * the log gives no answer the claim stays: it may have happened, and the same request again goes on with it.
   */
  private async claimed(
    id: string,
    { provider, customer }: CommandData<'LinkBillingAccount'>,
    tell: () => Promise<Receipt<OrganizationEvent>>,
  ): Promise<Receipt<OrganizationEvent>> {
    const { billing, documents, organizations } = this.runtime;
    const { customers } = documents;
    await fromStore(billing.customersFollowed());
    const former = await organizations.look(organizationStream(id), ({ state }) => state.billingAccount);
    const claim = await fromStore(customers.claim(provider, customer, id, this.runtime.now()));
    if (claim === 'taken')
      throw new Stop(409, 'customer-taken', 'This customer belongs to another organization.', { provider, customer });
    const receipt = await tell().catch(async (error: unknown) => {
      const isRefused = error instanceof Refused || error instanceof NotAsSeen;
      if (isRefused && claim === 'new') await customers.takeBack(provider, customer, id);
      throw error;
    });
    if (former?.provider === provider && former.customer !== customer)
      await fromStore(customers.takeBack(provider, former.customer, id)); // who dies before this: it is followed at start
    return receipt;
  }
}
