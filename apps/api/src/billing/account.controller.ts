import { Body, Controller, Get, Inject, Param, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type BillingFact, reconciled } from '@charter/billing';
import { RevisionMismatch, type Receipt, Refused } from '@charter/aggregates';
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
import { sendReceipt } from '../http/answers';
import { requireRole } from '../organizations/require-role';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { orUnavailable, ProblemError } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';

const Id = { schema: words.Id };
const At = z.strictObject({ at: words.When.optional() });

/** An organization and its payment provider: whose customer it is, and whether what is paid for is what is granted. */
@ApiTags('Billing')
@ApiBearerAuth()
@UseInterceptors(IdempotencyInterceptor)
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
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    await requireRole(this.runtime, id, context.actor, sellers); // nobody else claims anything
    const receipt = await this.claimed(id, account, () =>
      this.runtime.commands.execute(id, { type: 'LinkBillingAccount', data: account }, context),
    );
    // Whatever becomes of that, the link stands; what still waits is looked at by operators.
    this.runtime.backgroundWork.add('what waited for a customer', () => this.runtime.billing.linked(id));
    return sendReceipt(receipt, response);
  }

  @Get('billing/reconciliation')
  @ApiOperation({
    summary: 'What was paid for and not granted, and granted and not paid for, now or at any moment',
    description: 'What a person granted is told apart by `"by": "hand"`.',
  })
  async reconcile(
    @Param('id', Id) id: string,
    @Query({ schema: At }) { at }: z.infer<typeof At>,
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    await requireRole(this.runtime, id, context.actor, sellers);
    const { organizations, documents, gate } = this.runtime;
    const stream = organizationStream(id);
    const then = await gate({ actor: context.actor, response }, (gone) =>
      organizations.replay(stream, { valid: at ?? context.at, gone }),
    );
    if (!then) throw new Refused(noSuchOrganization); // what was paid for may be in force from before it was founded
    const messages = await orUnavailable(documents.inbox.ofOrganization<BillingFact>(id));
    const facts = messages.map(({ fact }) => fact);
    return { organization: id, revision: then.revision, ...reconciled(id, then.state, facts, at ?? context.at) };
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
    await orUnavailable(billing.customersFollowed());
    const former = await organizations.query(organizationStream(id), ({ state }) => state.billingAccount);
    const claim = await orUnavailable(customers.claim(provider, customer, id, this.runtime.now()));
    if (claim === 'taken')
      throw new ProblemError(409, 'customer-taken', 'This customer belongs to another organization.', {
        provider,
        customer,
      });
    const receipt = await tell().catch(async (error: unknown) => {
      const isRefused = error instanceof Refused || error instanceof RevisionMismatch;
      if (isRefused && claim === 'new') await customers.takeBack(provider, customer, id);
      throw error;
    });
    if (former?.provider === provider && former.customer !== customer)
      await orUnavailable(customers.takeBack(provider, former.customer, id)); // who dies before this: it is followed at start
    return receipt;
  }
}
