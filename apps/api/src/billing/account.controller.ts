import { Body, Controller, Get, Param, Put, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { billingReaders, type CommandData, schemaOf, words, sellers } from '@charter/organization';
import { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { ReconciliationAnswer } from './billing.answers';
import { receipt } from '../organizations/organization.answers';
import { sendReceipt } from '../http/answers';
import { type OrganizationCall, CurrentCall } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { LinkBillingCustomer, ReconcileBilling } from './account.handlers';

const Id = { schema: words.Id };
const At = z.strictObject({ at: words.When.optional() });

/**
 * The routes for the organization's customer at the payment provider, and for the comparison of paid plans with granted
 * plans.
 */
@ApiTags('Billing')
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations/:id')
export class BillingAccountController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Put('billing-account')
  @ApiOperation({
    summary: "Link the payment provider's customer to the organization",
    description:
      'A customer belongs to a single organization. Charter then also applies the messages about this customer that arrived earlier. ' +
      'If another customer of the same provider was linked, the new link replaces it.',
  })
  @Answers(sellers, receipt('BillingAccountLinked', { provider: 'stripe', customer: 'cus_Acme' }))
  async link(
    @Param('id', Id) id: string,
    @Body({ schema: schemaOf('LinkBillingAccount') }) account: CommandData<'LinkBillingAccount'>,
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    return sendReceipt(await this.commands.execute(new LinkBillingCustomer(id, account, context)), response);
  }

  @Get('billing/reconciliation')
  @ApiOperation({
    summary: 'Compare what the organization has paid for with what it was granted, now or at any moment',
    description: 'Grants by a person are marked with `"by": "hand"`.',
  })
  @Answers(billingReaders, ok(ReconciliationAnswer))
  async reconcile(
    @Param('id', Id) id: string,
    @Query({ schema: At }) { at }: z.infer<typeof At>,
    @CurrentCall() { context, response }: OrganizationCall,
  ) {
    const caller = { actor: context.actor, response };
    return this.queries.execute(new ReconcileBilling(id, at ?? context.at, caller));
  }
}
