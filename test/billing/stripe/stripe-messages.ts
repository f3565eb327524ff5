import Stripe from 'stripe';

/**
 * Messages in the form of Stripe's messages. TypeScript checks them against the types of Stripe's package, and a helper
 * of the package signs them.
 */

/**
 * An item of a subscription. The product of the item is one of the catalogue's `linkedProductIds`, unless the product
 * is unknown.
 */
export type Item = Readonly<{ id: string; product: string; price?: string; quantity?: number; added?: number }>;

export type SubscriptionFields = Readonly<{
  id: string;
  status: Stripe.Subscription.Status;
  items: readonly Item[];
  /**
   * The id of the organization, which the message contains as metadata. Without this field, Charter uses the
   * organization that is linked to the customer.
   */
  organization?: string | undefined;
  customer?: string;
  livemode?: boolean;
}>;

/** Seconds since 1970: 2025-01-15T09:00:00Z, when the subscriptions of these messages began. */
export const begun = 1_736_931_600;
const MONTH_SECONDS = 30 * 86_400;

const decimal = (amount: number) => String(amount) as unknown as Stripe.Decimal; // Stripe sends decimals as text

const priceOf = ({ product, price = `price_${product}` }: Item, livemode: boolean): Stripe.Price => ({
  id: price,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: begun - MONTH_SECONDS,
  currency: 'eur',
  custom_unit_amount: null,
  livemode,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product,
  recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tax_behavior: 'exclusive',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: 4900,
  unit_amount_decimal: decimal(4900),
});

const planOf = ({ id, product, livemode, created, currency }: Stripe.Price): Stripe.Plan => ({
  id,
  object: 'plan',
  active: true,
  amount: 4900,
  amount_decimal: decimal(4900),
  billing_scheme: 'per_unit',
  created,
  currency,
  interval: 'month',
  interval_count: 1,
  livemode,
  metadata: {},
  meter: null,
  nickname: null,
  product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

const itemOf = (item: Item, subscription: string, livemode: boolean): Stripe.SubscriptionItem => ({
  id: item.id,
  object: 'subscription_item',
  billing_thresholds: null,
  created: item.added ?? begun,
  current_period_end: begun + MONTH_SECONDS,
  current_period_start: begun,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(priceOf(item, livemode)),
  price: priceOf(item, livemode),
  quantity: item.quantity ?? 1,
  subscription,
  tax_rates: [],
});

export function subscriptionOf({ id, status, items, organization, ...more }: SubscriptionFields): Stripe.Subscription {
  const { customer = 'cus_Acme', livemode = true } = more;
  const ended = status === 'canceled' ? begun + MONTH_SECONDS : null;
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: begun,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'classic' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: ended,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: ended === null ? null : 'cancellation_requested',
    },
    collection_method: 'charge_automatically',
    created: begun,
    currency: 'eur',
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: 'pm_1AcmeCard',
    default_source: null,
    default_tax_rates: [],
    description: 'for Ada Lovelace, Acme',
    discounts: [],
    ended_at: ended,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: {
      object: 'list',
      data: items.map((item) => itemOf(item, id, livemode)),
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: `in_${id}`,
    livemode,
    managed_payments: null,
    metadata: organization === undefined ? {} : { organization },
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: begun,
    status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  };
}

export type SubscriptionNews = 'created' | 'updated' | 'deleted' | 'paused' | 'resumed' | 'trial_will_end';

/** @param after seconds since the subscription began, by Stripe's clock */
export function message(id: string, news: SubscriptionNews, fields: SubscriptionFields, after: number): Stripe.Event {
  const object = subscriptionOf(fields);
  const event = {
    ...envelopeOf(id, after, object.livemode),
    type: `customer.subscription.${news}`,
    data: { object },
  };
  return event as Stripe.Event; // TypeScript cannot derive the event type from this text
}

/** Marks the message as partial: the subscription has more items than the message contains. */
export function part(event: Stripe.Event): Stripe.Event {
  Object.assign((event.data.object as Stripe.Subscription).items, { has_more: true });
  return event;
}

/** A message that is not about a subscription. */
export const otherMessage = (
  id: string,
  type: string,
  object: object,
  after: number,
  more: Partial<Pick<Stripe.Event, 'account' | 'livemode'>> = {},
): Stripe.Event => ({ ...envelopeOf(id, after, true), type, data: { object }, ...more }) as unknown as Stripe.Event;

const envelopeOf = (id: string, after: number, livemode: boolean) =>
  ({
    id,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: begun + after,
    livemode,
    pending_webhooks: 1,
    request: { id: `req_${id}`, idempotency_key: null },
  }) satisfies Omit<Stripe.EventBase, 'type' | 'data'>;

export const webhookSecret = 'whsec_test_of_these_specs';

/**
 * The body and the headers of a message, signed by the test helper of Stripe's package.
 * @param at the time of the signature in seconds since 1970, by default the current time
 */
export function signed(event: object | string, { secret = webhookSecret, at = Math.floor(Date.now() / 1000) } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2);
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at });
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header } };
}
