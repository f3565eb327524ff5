import { Body, Controller, HttpCode, Inject, Post, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BillingEvent, cloudEventFacts, type TranslatedMessage } from '@charter/billing';
import { Refused, UnreadableStream } from '@charter/aggregates';
import { hasAnyRole, noSuchOrganization, notAllowed, sellers } from '@charter/organization';
import { z } from 'zod';
import { Answers, ok } from '../http/declared-answers';
import { BillingResults, messageResult } from './billing.answers';
import { actorIn, type Caller } from '../http/authentication/caller';
import { CurrentContext, type RequestContext } from '../http/request-context';
import { IdempotencyInterceptor } from '../http/idempotency';
import { malformedRequest } from '../http/problems/problem';
import { problemOfIssues } from '../http/input/validation';
import { type Background, BACKGROUND } from '../process/parts/background';

/** One event, or a batch of events (CloudEvents 1.0, structured and batched mode). */
const BillingEvents = z.union([z.array(BillingEvent).max(1_000), BillingEvent]);

/** The route for billing events of any payment provider (`api.md`, Billing). */
@ApiTags('Billing')
@UseInterceptors(IdempotencyInterceptor)
@Controller('api/v1/billing/events')
export class BillingEventsController {
  constructor(@Inject(BACKGROUND) private readonly runtime: Pick<Background, 'billing'>) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Report plans and add-ons that were sold or ended, as a single CloudEvent 1.0 or as a batch',
    description:
      'The types are `charter.plan.assigned`, `charter.plan.ended`, `charter.add-on.purchased` and `charter.add-on.cancelled`; ' +
      '`id` identifies an event within its `source`, `time` orders events, `subject` is the organization. The whole batch is ' +
      'checked before any event is stored. After a 503, send the same request again.',
  })
  @ApiBody({ schema: z.toJSONSchema(BillingEvents, { io: 'input', unrepresentable: 'any' }) as object })
  @Answers(sellers, ok(BillingResults), [404])
  async take(@Body() body: unknown, @CurrentContext() { caller }: RequestContext) {
    if (!hasAnyRole(sellers, caller.actor.powers)) throw new Refused(notAllowed(sellers));
    const events = eventsIn(body);
    const translated = events.map((event, index) => translate(event, Array.isArray(body) ? [index] : []));
    for (const { subject } of events)
      if (!hasAnyRole(sellers, actorIn(caller, subject).powers)) throw new Refused(noSuchOrganization);

    const results = [];
    let failure: UnreadableStream | undefined;
    for (const [index, event] of events.entries()) {
      const message = inNamespaceOf(caller, translated[index]!);
      try {
        results.push(messageResult(event.id, await this.runtime.billing.take(message, JSON.stringify(event))));
      } catch (error) {
        if (!(error instanceof UnreadableStream)) throw error;
        failure ??= error; // the events of other organizations do not wait for this organization
      }
    }
    if (failure) throw failure;
    return { results };
  }
}

/**
 * Validates each event by itself, so that an error names the event and its field.
 * @throws ProblemError 400
 */
function eventsIn(body: unknown): readonly BillingEvent[] {
  if (body === undefined) throw malformedRequest([{ path: '', message: 'has no body' }]);
  const all: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (all.length === 0) throw malformedRequest([{ path: '', message: 'contains no event' }]);
  if (all.length > EVENTS_MAX)
    throw malformedRequest([{ path: '', message: `contains more than ${EVENTS_MAX} events` }]);
  const at = (index: number) => (Array.isArray(body) ? [index] : []);
  const checked = all.map((event) => BillingEvent.safeParse(event));
  const issues = checked.flatMap(({ error }, index) =>
    (error?.issues ?? []).map((issue) => ({ ...issue, path: [...at(index), ...issue.path] })),
  );
  if (issues.length > 0) throw problemOfIssues(issues);
  return checked.map(({ data }) => data!);
}

/** The maximum number of events in a batch. A body has at most 100 KiB, so no body contains this many events. */
const EVENTS_MAX = 1_000;

/**
 * Translates one billing event into a message that the billing service can apply.
 * @throws ProblemError 400
 */
function translate(event: BillingEvent, at: readonly number[]): TranslatedMessage {
  try {
    return cloudEventFacts(event);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw problemOfIssues(error.issues.map((issue) => ({ ...issue, path: [...at, 'data', ...issue.path] })));
  }
}

/**
 * If an API key is bound to one organization, puts the key's events into the namespace of that organization. The same
 * event id from the keys of two organizations therefore names two different events. An unbound key can send a source
 * that has the form of such a namespace. This source gets one more `#`, so that the two namespaces stay apart.
 */
function inNamespaceOf({ only }: Caller, translated: TranslatedMessage): TranslatedMessage {
  const { provider: sender } = translated.head;
  if (only === undefined && !endsLikeNamespace.test(sender)) return translated;
  const head = { ...translated.head, provider: `${sender}#${only ?? ''}` };
  return translated.kind === 'fact'
    ? { ...translated, head, fact: { ...translated.fact, provider: head.provider } }
    : { ...translated, head };
}

/**
 * Matches a source that ends in `#UUID`, as a namespace does, and also `#UUID#`, `#UUID##` and so on. Each such source
 * gets one more `#`, so two different sources never become equal.
 */
const endsLikeNamespace = /#[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}#*$/i;
