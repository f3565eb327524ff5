import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { BillingFact } from '@charter/billing';
import { handleOf, type MessageKey, providerNameOf, type StoredMessage, type Charter } from '@charter/application';
import type { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { BillingMessageAnswer, BillingMessagePage, ReplayAnswer } from './billing.answers';
import { auditContextOf, logOperation } from '../account/account';
import { OperatorsOnly } from '../operators/operator-guards';
import { operatorIn } from '../operators/operators';
import { clientAddressOf } from '../http/input/client-address';
import { CurrentContext, type RequestContext, type RequestWithContext } from '../http/request-context';
import { ProblemError } from '../http/problems/problem';
import { quarantineCursor, Dismissal, MessageHandle, QuarantineQuery } from './quarantine.requests';
import { STORES } from '../process/parts/stores';
import { type Observability, OBSERVABILITY } from '../process/parts/observability';
import { type Background, BACKGROUND } from '../process/parts/background';

const Id = { schema: MessageHandle };

/**
 * Messages of payment providers that Charter could not apply (`acceptance.md` K9). Only operators may use the routes of
 * the quarantine.
 */
@ApiTags('Billing')
@UseGuards(OperatorsOnly)
@Controller('api/v1/billing/quarantine')
export class QuarantineController {
  private readonly runtime: Pick<Charter, 'settings' | 'database' | 'trail'> &
    Pick<Observability, 'logger'> &
    Pick<Background, 'billing'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...observability, ...background };
  }

  @Get()
  @ApiOperation({
    summary:
      'List quarantined messages of payment providers, the newest first; with `state`, list messages in another state',
  })
  @Answers('operators', ok(BillingMessagePage))
  async list(@Query({ schema: QuarantineQuery }) { state, cursor, limit }: z.infer<typeof QuarantineQuery>) {
    const query = { state, before: cursor, limit: limit + 1 };
    const found = await this.runtime.database.inbox.list<BillingFact>(query);
    const messages = found.slice(0, limit);
    return { messages: messages.map(printed), next: found.length > limit ? quarantineCursor(messages.at(-1)!) : null };
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Apply a quarantined message again; repeating the request has no further effect' })
  @Answers('operators', ok(ReplayAnswer), [409])
  async replay(
    @Param('id', Id) named: MessageKey,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const message = await this.waiting(named, ['quarantined', 'received', 'applied', 'overtaken']);
    await this.record('BillingMessageReplayed', message, context);
    const taken = await this.runtime.billing.replay(named);
    this.note(context, request, 'billing-message-replayed', message);
    return { ...printed(await this.found(named)), outcome: taken!.outcome };
  }

  @Post(':id/dismiss')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Dismiss a message with a reason, so that it is never applied; only the first request has an effect',
  })
  @Answers('operators', ok(BillingMessageAnswer), [409])
  async dismiss(
    @Param('id', Id) named: MessageKey,
    @Body({ schema: Dismissal }) { reason }: z.infer<typeof Dismissal>,
    @CurrentContext() context: RequestContext,
    @Req() request: RequestWithContext,
  ) {
    const message = await this.waiting(named, ['quarantined', 'dismissed']);
    await this.runtime.billing.dismiss(named, reason, async () => {
      await this.record('BillingMessageDismissed', message, context);
      this.note(context, request, 'billing-message-dismissed', message);
    });
    return printed(await this.found(named));
  }

  /** @throws ProblemError 404, 409 */
  private async waiting(named: MessageKey, states: readonly StoredMessage['state'][]): Promise<StoredMessage> {
    const message = await this.found(named);
    if (!states.includes(message.state))
      throw new ProblemError(
        409,
        'not-quarantined',
        `This message is not in quarantine: its state is ${message.state}.`,
        {
          state: message.state,
        },
      );
    return message;
  }

  private async found(named: MessageKey): Promise<StoredMessage> {
    const message = await this.runtime.database.inbox.find<BillingFact>(named);
    if (!message) throw new ProblemError(404, 'no-such-message', 'There is no message with this id.');
    return message;
  }

  /**
   * Records the operator's decision about a message in the operator's audit stream. The routes apply the decision only
   * after its record is stored.
   */
  private record(
    type: 'BillingMessageReplayed' | 'BillingMessageDismissed',
    message: StoredMessage,
    context: RequestContext,
  ) {
    const data = { provider: providerNameOf(message), message: message.id };
    return this.runtime.trail.record({ account: operatorIn(context).id }, { type, data }, auditContextOf(context));
  }

  private note(context: RequestContext, request: RequestWithContext, result: string, message: StoredMessage) {
    const about = { provider: providerNameOf(message), message: message.id };
    logOperation(this.runtime, context, clientAddressOf(request, this.runtime.settings), result, about);
  }
}

/**
 * A message, as the answers contain it. The answers leave out the message's original text, because that text may
 * contain names of persons.
 */
const printed = (message: StoredMessage) => {
  const { provider, id, type, time, organization, customer, subscription, fact } = message;
  const { state, reason, detail, attempts, received, settled } = message;
  return {
    id: handleOf(message),
    provider,
    message: id,
    type,
    time,
    organization,
    customer,
    subscription,
    holds: fact?.holds ?? [],
    ends: fact?.ends ?? [],
    unknown: fact?.unknown ?? [],
    state,
    reason,
    detail,
    attempts,
    received,
    settled,
  };
};
