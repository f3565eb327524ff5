import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiCookieAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Fact } from '@charter/billing';
import { handleOf, type NamedMessage, speakerOf, type StoredMessage } from '@charter/application';
import type { z } from 'zod';
import { byOf, noteDone } from '../account/account';
import { OperatorsOnly } from '../operators/operator-guards';
import { operatorIn } from '../operators/operators';
import { addressOf } from '../http/input/client-address';
import { Asking, type Known, type KnownRequest } from '../http/request-context';
import { fromStore, Stop } from '../http/problems/problem';
import { RUNTIME, type Runtime } from '../process/runtime';
import { cursorAt, Dismissal, Handle, QuarantineQuery } from './quarantine.requests';

const Id = { schema: Handle };

/** What payment providers said and could not be applied: why, and again (`acceptance.md` K9). For operators alone. */
@ApiTags('Billing')
@ApiCookieAuth('session')
@UseGuards(OperatorsOnly)
@Controller('api/v1/billing/quarantine')
export class QuarantineController {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Get()
  @ApiOperation({
    summary: 'List messages of payment providers that wait, the newest first; those of other states by `state`',
  })
  async list(@Query({ schema: QuarantineQuery }) { state, cursor, limit }: z.infer<typeof QuarantineQuery>) {
    const wish = { state, before: cursor, limit: limit + 1 };
    const found = await fromStore(this.runtime.documents.inbox.list<Fact>(wish));
    const messages = found.slice(0, limit);
    return { messages: messages.map(printed), next: found.length > limit ? cursorAt(messages.at(-1)!) : null };
  }

  @Post(':id/replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Apply a message again that waits; it counts once, however often' })
  async replay(@Param('id', Id) named: NamedMessage, @Asking() known: Known, @Req() request: KnownRequest) {
    const message = await this.waiting(named, ['quarantined', 'received', 'applied', 'overtaken']);
    await this.record('BillingMessageReplayed', message, known);
    const taken = await this.runtime.billing.replay(named);
    this.note(known, request, 'billing-message-replayed', message);
    return { ...printed(await this.found(named)), outcome: taken!.outcome };
  }

  @Post(':id/dismiss')
  @HttpCode(200)
  @ApiOperation({ summary: 'Say that a message is not to be applied, and why: who says so first does it' })
  async dismiss(
    @Param('id', Id) named: NamedMessage,
    @Body({ schema: Dismissal }) { reason }: z.infer<typeof Dismissal>,
    @Asking() known: Known,
    @Req() request: KnownRequest,
  ) {
    const message = await this.waiting(named, ['quarantined', 'dismissed']);
    await this.runtime.billing.dismiss(named, reason, async () => {
      await this.record('BillingMessageDismissed', message, known);
      this.note(known, request, 'billing-message-dismissed', message);
    });
    return printed(await this.found(named));
  }

  /** @throws Stop 404, 409 */
  private async waiting(named: NamedMessage, states: readonly StoredMessage['state'][]): Promise<StoredMessage> {
    const message = await this.found(named);
    if (!states.includes(message.state))
      throw new Stop(409, 'not-quarantined', `This message does not wait: it is ${message.state}.`, {
        state: message.state,
      });
    return message;
  }

  private async found(named: NamedMessage): Promise<StoredMessage> {
    const message = await fromStore(this.runtime.documents.inbox.find<Fact>(named));
    if (!message) throw new Stop(404, 'no-such-message', 'There is no message of this id.');
    return message;
  }

  /** Before it is done: who did it stands in their own stream. */
  private record(type: 'BillingMessageReplayed' | 'BillingMessageDismissed', message: StoredMessage, known: Known) {
    const data = { provider: speakerOf(message), message: message.id };
    return this.runtime.trail.record({ account: operatorIn(known).id }, { type, data }, byOf(known));
  }

  private note(known: Known, request: KnownRequest, result: string, message: StoredMessage) {
    const about = { provider: speakerOf(message), message: message.id };
    noteDone(this.runtime, known, addressOf(request, this.runtime.settings), result, about);
  }
}

/** Everything but the text as it came, which may hold names. */
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
