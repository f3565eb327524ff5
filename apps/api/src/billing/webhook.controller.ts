import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { stripeFacts } from '@charter/billing';
import type { Request } from 'express';
import { Answers, ok } from '../http/declared-answers';
import { messageResult, WebhookAnswer } from './billing.answers';
import { readBody, repeatedFieldProblem, WEBHOOK_MAX } from '../http/input/body';
import { repeatsFields } from '../http/input/repeated-fields';
import { Public } from '../http/authentication/authentication-guard';
import { malformedRequest, ProblemError } from '../http/problems/problem';
import { type Clock, CLOCK } from '../process/parts/clock';
import { type Background, BACKGROUND } from '../process/parts/background';

/**
 * The route of Stripe's webhook. A request is authenticated only by Stripe's signature over the raw body
 * (`acceptance.md` K).
 */
@ApiTags('Billing')
@Public()
@Controller('webhooks')
export class WebhookController {
  private readonly runtime: Clock & Pick<Background, 'billing'>;

  constructor(@Inject(CLOCK) clock: Clock, @Inject(BACKGROUND) background: Background) {
    this.runtime = { ...clock, ...background };
  }

  @Post('stripe')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Receive a message that Stripe signed; 404 unless STRIPE_WEBHOOK_SECRETS is set',
    description: 'A repeated message changes nothing. After a 503, send the message again.',
  })
  @ApiHeader({ name: 'Stripe-Signature', required: true, schema: { type: 'string' } })
  @ApiBody({ schema: { type: 'object' } })
  @Answers('everyone', ok(WebhookAnswer), [404])
  async take(@Req() request: Request) {
    const { billing, now } = this.runtime;
    if (!billing.stripe) throw new ProblemError(404, 'not-found', 'There is nothing at this address.');
    const body = await readBody(request, WEBHOOK_MAX);
    const signatures = request.headersDistinct['stripe-signature'] ?? [];
    const message = await billing.stripe.proven(body, signatures, now());
    const text = body.toString();
    if (repeatsFields(text, message)) throw repeatedFieldProblem();
    const translated = stripeFacts(message, billing.reading);
    if (!translated) throw malformedRequest([{ path: '', message: NOT_AN_EVENT }]);
    return messageResult(translated.head.id, await billing.take(translated, text));
  }
}

const NOT_AN_EVENT =
  'is not a Stripe event: a Stripe event is an object with `object: "event"`, `id`, `type`, `created`, `livemode` and `data.object`';
