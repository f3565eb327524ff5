import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { NotAsShown } from '@charter/aggregates';
import { type Charter, type CommandPreview, handleOf, previewOnPresent } from '@charter/application';
import {
  type BillingFact,
  checkoutItems,
  checkoutProgress,
  type CheckoutSession,
  competingCheckouts,
  type NotSold,
  sharedSlots,
} from '@charter/billing';
import type { MessageFact } from '@charter/database';
import { type Actor, momentAt } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { buyers, type OrganizationCommand, organizationStream } from '@charter/organization';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { ProblemError } from '../../http/problems/problem';
import { explainNotAsShown } from '../../organizations/previews/previews.handler';
import { requireRole } from '../../organizations/require-role';
import { type Background, BACKGROUND } from '../../process/parts/background';
import { type Clock, CLOCK } from '../../process/parts/clock';
import { type Observability, OBSERVABILITY } from '../../process/parts/observability';
import { STORES } from '../../process/parts/stores';
import { attemptLimits, requireAttemptInAll } from '../../sign-in/limits';
import type { CheckoutAnswer, NewCheckoutAnswer } from './checkout.requests';
import type { CheckoutProvider } from './stripe-checkout';

const PROVIDER = 'stripe';

/**
 * The maximum time from the beginning of a checkout to the message about its payment: Stripe closes an unpaid session
 * after a day, and repeats an unanswered message for three days.
 */
const MESSAGE_MAX_MS = (1 + 3) * 24 * 60 * 60 * 1_000;

/**
 * If a paid checkout has this age and Charter has not received the provider's message, the process logs a warning. The
 * answer about the checkout then says that the message is late. Most messages arrive within seconds.
 */
const MESSAGE_LATE_MS = 15 * 60 * 1_000;

/**
 * Starts a checkout for the plans and add-ons that the commands sell. The context contains the digest of the events
 * that the preview showed to the owner.
 */
export class StartCheckout extends Command<z.infer<typeof NewCheckoutAnswer>> {
  constructor(
    readonly id: string,
    readonly commands: readonly OrganizationCommand[],
    readonly context: Envelope,
  ) {
    super();
  }
}

/** Reads the state of a checkout. */
export class ReadCheckout extends Query<z.infer<typeof CheckoutAnswer>> {
  constructor(
    readonly id: string,
    readonly session: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

type Stores = Pick<Charter, 'organizations' | 'catalogue' | 'settings' | 'database'>;

@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  private readonly runtime: Stores & Clock & Pick<Background, 'billing'>;

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...background };
  }

  async execute({ id, commands, context }: StartCheckout) {
    await requireRole(this.runtime, id, context.actor, buyers);
    const provider = providerOf(this.runtime.billing);
    const { preview, customer, items, slots, known, notSold } = await this.previewAndItems(id, commands, context);
    if (preview.shown === undefined || preview.shown !== context.shown)
      throw await explainNotAsShown(this.runtime, id, commands, context, new NotAsShown());
    if (notSold.length > 0) throw notSoldOnline(notSold);

    const { takeBack } = await requireAttemptInAll(this.runtime, [
      [attemptLimits.checkoutsActor, `${context.actor.kind} ${context.actor.id}`],
      [attemptLimits.checkoutsOrganization, id],
    ]);
    const { publicUrl } = this.runtime.settings;
    const page = `${publicUrl}/org/${id}/checkout`;
    const started = await provider
      .start({
        ...{ organization: id, customer, items, slots, key: context.command },
        // Stripe replaces `{CHECKOUT_SESSION_ID}` with the id of the checkout session.
        ...{
          paid: `${page}?session={CHECKOUT_SESSION_ID}`,
          cancelled: `${page}?session={CHECKOUT_SESSION_ID}&cancelled=true`,
        },
      })
      .catch(async (error: unknown) => {
        await takeBack();
        throw error;
      });
    if ('notSold' in started) throw notSoldOnline(started.notSold.map((index) => ({ index, why: 'no-price' })));
    await this.replaceOthers(provider, id, { ...started, slots }, known);
    return { id: started.id, url: started.url!, expires: momentAt(started.expires) };
  }

  /**
   * Ends the older open checkouts for the same plans and add-ons, for example checkouts from another browser tab. If an
   * older checkout is already paid, ends the new checkout instead, so that no person pays twice.
   * @throws ProblemError 409, 503
   */
  private async replaceOthers(
    provider: CheckoutProvider,
    organization: string,
    own: CheckoutSession & Readonly<{ slots: readonly string[] }>,
    known: ReadonlySet<string | undefined>,
  ): Promise<void> {
    const recent = await provider.recentOf(organization, this.runtime.now() - MESSAGE_MAX_MS);
    const { replaced, paid: paidBefore } = competingCheckouts(own, recent, known);
    const ended = await Promise.all(replaced.map(({ id }) => provider.expire(id)));
    const paidMeanwhile = ended.flatMap((other) => (other?.status === 'complete' ? sharedSlots(own.slots, other) : []));
    const paid = new Set([...paidBefore, ...paidMeanwhile]);
    if (paid.size === 0) return;
    await provider.expire(own.id);
    const items = own.slots.flatMap((slot, index) => (paid.has(slot) ? [{ index, why: 'paid-already' as const }] : []));
    throw notSoldOnline(items);
  }

  /**
   * Returns the preview of the commands, and the items of the checkout. The preview and the items come from the same
   * state of the organization.
   */
  private async previewAndItems(id: string, commands: readonly OrganizationCommand[], context: Envelope) {
    const { organizations, catalogue, database } = this.runtime;
    const messages = await database.inbox.ofOrganization<BillingFact>(id);
    const facts = messages.map(({ fact }) => fact);
    return organizations.query(organizationStream(id), (present) => {
      const { state: organization } = present;
      const request = { id, commands, context, isLenient: true };
      const preview: CommandPreview = previewOnPresent(this.runtime, request, present);
      const changing = new Set(preview.events.map(({ command }) => command));
      const { billingAccount } = organization;
      return {
        known: new Set(facts.map(({ subscription }) => subscription)),
        ...{ preview, customer: billingAccount?.provider === PROVIDER ? billingAccount.customer : undefined },
        ...checkoutItems(commands, { id, organization, facts, at: context.at }, catalogue, changing),
      };
    });
  }
}

@QueryHandler(ReadCheckout)
export class ReadCheckoutHandler implements IQueryHandler<ReadCheckout> {
  private readonly runtime: Stores & Clock & Pick<Background, 'billing'> & Pick<Observability, 'logger'>;
  /**
   * The ids of the paid checkouts for which this process has logged that the provider's message is late. The page of a
   * checkout reads the state every few seconds, but one log line for each checkout suffices.
   */
  private readonly logged = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    @Inject(STORES) stores: Charter,
    @Inject(CLOCK) clock: Clock,
    @Inject(OBSERVABILITY) observability: Observability,
    @Inject(BACKGROUND) background: Background,
  ) {
    this.runtime = { ...stores, ...clock, ...observability, ...background };
  }

  async execute({ id, session: named, actor }: ReadCheckout) {
    await requireRole(this.runtime, id, actor, buyers);
    const provider = providerOf(this.runtime.billing);
    await requireAttemptInAll(this.runtime, [[attemptLimits.checkoutReads, `${actor.kind} ${actor.id}`]]);
    const session = await provider.find(named);
    if (session?.organization !== id)
      throw new ProblemError(404, 'no-such-checkout', 'This organization has no checkout with this id.');
    // Reads the messages before the organization's state, so that the state contains the events of all applied
    // messages.
    const messages = await this.messagesOf(session);
    const { state, granted, waits } = await this.runtime.organizations.query(organizationStream(id), (present) =>
      checkoutProgress(session, messages, present.state),
    );
    const late = state === 'paid' && this.runtime.now() - session.started >= MESSAGE_LATE_MS;
    if (late) this.logLateMessage(session);
    return {
      ...{ id: session.id, state, expires: momentAt(session.expires) },
      url: state === 'open' ? session.url : null,
      granted: granted === undefined ? null : { revision: granted },
      message: waits ? await this.waitingMessage(waits) : null,
      late,
    };
  }

  /**
   * Logs a paid checkout whose message is late. Operators learn of a late message only from the log line, because
   * Charter stores nothing about a checkout.
   */
  private logLateMessage({ id, organization, subscription, started }: CheckoutSession): void {
    if (this.logged.has(id)) return;
    this.logged.set(id, true);
    const about = { organization, subscription, started: momentAt(started) };
    this.runtime.logger.warn(about, 'a checkout is paid, and no message about its subscription has arrived');
  }

  private async messagesOf({ subscription }: CheckoutSession): Promise<readonly MessageFact<BillingFact>[]> {
    if (subscription === null) return [];
    return this.runtime.database.inbox.ofSubscription<BillingFact>(PROVIDER, subscription);
  }

  /**
   * A waiting message, as the answer contains it. The answer leaves out the text that an operator wrote about a
   * dismissal (`detail`), because only operators may read this text.
   */
  private async waitingMessage(named: MessageFact<BillingFact>) {
    const message = await this.runtime.database.inbox.find<BillingFact>(named);
    return { id: handleOf(named), received: message!.received, reason: message!.reason };
  }
}

/** @throws ProblemError 404 if the settings name no payment provider */
function providerOf({ stripe }: Background['billing']): CheckoutProvider {
  if (!stripe?.checkout)
    throw new ProblemError(404, 'no-checkout', 'This installation has no payment provider, so no checkout can start.');
  return stripe.checkout;
}

const notSoldOnline = (items: readonly NotSold[]) =>
  new ProblemError(409, 'not-sold-online', 'A checkout cannot sell some of these commands.', { items });
