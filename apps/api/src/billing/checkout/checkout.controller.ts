import { Body, Controller, Get, HttpCode, Param, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { buyers, words } from '@charter/organization';
import type { z } from 'zod';
import { Answers, created, ok } from '../../http/declared-answers';
import { IdempotencyInterceptor } from '../../http/idempotency';
import { type OrganizationCall, CurrentCall } from '../../http/request-context';
import { PeopleOnly } from '../../operators/operator-guards';
import { withIds } from '../../organizations/previews/previews.requests';
import { ReadCheckout, StartCheckout } from './checkout.handlers';
import { CheckoutAnswer, CheckoutId, CheckoutRequest, NewCheckoutAnswer } from './checkout.requests';

const Id = { schema: words.Id };

/** The routes with which an owner buys plans and add-ons at the payment provider. */
@ApiTags('Billing')
@UseGuards(PeopleOnly)
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/organizations/:id/checkout')
export class CheckoutController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Start a checkout at the payment provider for exactly the commands that a preview has shown',
    description:
      'Charter executes no command. The person pays on the page at `url`; later, a message of the provider grants the plans and add-ons. 404 `no-checkout` without a payment provider; 409 `not-sold-online` names in `items` the commands that a checkout cannot sell. Send the `Idempotency-Key` of the preview. API keys get 403.',
  })
  @Answers(buyers, created(NewCheckoutAnswer))
  async start(
    @Param('id', Id) id: string,
    @Body({ schema: CheckoutRequest }) { commands, shown }: z.infer<typeof CheckoutRequest>,
    @CurrentCall() { context }: OrganizationCall,
  ) {
    return this.commands.execute(new StartCheckout(id, withIds(commands, context), { ...context, shown }));
  }

  @Get(':session')
  @ApiOperation({
    summary: 'The state of a checkout',
    description:
      '`paid`: the provider has the payment, and no message has arrived yet. `waiting`: a message has arrived, but the purchase is not granted, or the newest message waits; `message` has its reason. `granted` depends only on the recorded events.',
  })
  @Answers(buyers, ok(CheckoutAnswer))
  async read(
    @Param('id', Id) id: string,
    @Param('session', { schema: CheckoutId }) session: string,
    @CurrentCall() { context }: OrganizationCall,
  ) {
    return this.queries.execute(new ReadCheckout(id, session, context.actor));
  }
}
