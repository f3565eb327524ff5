import type { CheckoutItem, CheckoutSession } from '@charter/billing';
import type Stripe from 'stripe' with { 'resolution-mode': 'import' };
import { z } from 'zod';
import { retryLater } from '../../http/problems/problem';

/** The content of a new checkout. */
type NewCheckout = Readonly<{
  organization: string;
  /**
   * The provider's customer that is linked to the organization. If it is undefined or the provider no longer has this
   * customer, the provider makes a new customer.
   */
  customer: string | undefined;
  items: readonly CheckoutItem[];
  /**
   * The plan or add-on of each item. The session's metadata contains this list, unless the list is too long
   * (`slotsField`).
   */
  slots: readonly string[];
  /** The URLs to which the payment provider sends the browser after the payment, or after a cancellation. */
  paid: string;
  cancelled: string;
  /** The idempotency key: two calls with the same key and the same content start one session. */
  key: string;
}>;

/** The part of the payment provider's interface that starts and reads checkouts. */
export type CheckoutProvider = Readonly<{
  /**
   * Starts a session. If the provider does not sell some of the items, returns the positions of these items, and starts
   * no session.
   * @throws ProblemError 503 if the provider does not answer in time, or refuses the call for another reason
   */
  start: (checkout: NewCheckout) => Promise<CheckoutSession | Readonly<{ notSold: readonly number[] }>>;
  /**
   * Reads a session; undefined if the provider has no session with this id.
   * @throws ProblemError 503
   */
  find: (id: string) => Promise<CheckoutSession | undefined>;
  /**
   * The organization's open and completed sessions that began after `since`, in milliseconds since 1970. The provider
   * cannot search for an organization, so this function reads the newest sessions of all organizations, at most 300 of
   * each status.
   * @throws ProblemError 503
   */
  recentOf: (organization: string, since: number) => Promise<readonly CheckoutSession[]>;
  /**
   * Ends an open session, so that no person can pay it. Returns the session; its status is `complete` if a person has
   * paid it before.
   * @throws ProblemError 503
   */
  expire: (id: string) => Promise<CheckoutSession | undefined>;
}>;

/** The maximum number of sessions of one status that a search reads. */
const SESSIONS_MAX = 300;

export function stripeCheckout(client: Promise<Stripe>): CheckoutProvider {
  const sessions = async () => (await client).checkout.sessions;
  const find: CheckoutProvider['find'] = async (id) => {
    try {
      return sessionOf(await (await sessions()).retrieve(id));
    } catch (error) {
      if ((error as StripeFailure).code === 'resource_missing') return undefined;
      throw providerUnavailable(error);
    }
  };
  const listed = async (status: 'open' | 'complete', since: number) => {
    const created = { gte: Math.floor(since / 1_000) };
    return (await sessions()).list({ status, created, limit: 100 }).autoPagingToArray({ limit: SESSIONS_MAX });
  };
  const create = async (checkout: NewCheckout) => sessionOf(await (await sessions()).create(...paramsOf(checkout)));
  return {
    find,
    start: async (checkout) => {
      try {
        return await create(checkout).catch((error: unknown) => {
          const { code, param } = error as StripeFailure;
          if (code !== 'resource_missing' || param !== 'customer') throw error;
          // The linked customer was deleted at Stripe. The metadata still names the organization.
          return create({ ...checkout, customer: undefined, key: `${checkout.key}-new-customer` });
        });
      } catch (error) {
        const notSold = refusedItems(error, checkout.items.length);
        if (notSold.length > 0) return { notSold };
        throw providerUnavailable(error);
      }
    },
    recentOf: async (organization, since) => {
      try {
        const found = await Promise.all([listed('open', since), listed('complete', since)]);
        const ours = found.flat().filter(({ metadata }) => metadata?.['organization'] === organization);
        return ours.map(sessionOf);
      } catch (error) {
        throw providerUnavailable(error);
      }
    },
    expire: async (id) => {
      try {
        return sessionOf(await (await sessions()).expire(id));
      } catch (error) {
        // Stripe refuses to end a session that has ended.
        const present = (error as StripeFailure).type === 'StripeInvalidRequestError' ? await find(id) : undefined;
        if (!present || present.status === 'open') throw providerUnavailable(error);
        return present;
      }
    },
  };
}

/**
 * Puts the organization's id into the metadata of the subscription. Stripe's messages about the subscription contain
 * the metadata, so Charter finds the organization.
 */
const paramsOf = ({
  organization,
  customer,
  items,
  slots,
  paid,
  cancelled,
  key,
}: NewCheckout): [Stripe.Checkout.SessionCreateParams, Stripe.RequestOptions] => [
  {
    mode: 'subscription',
    line_items: items.map(({ price, quantity }) => ({ price, quantity })),
    client_reference_id: organization,
    metadata: { organization, ...slotsField(slots) },
    subscription_data: { metadata: { organization } },
    success_url: paid,
    cancel_url: cancelled,
    ...(customer !== undefined && { customer }),
  },
  { idempotencyKey: key },
];

/**
 * Stripe accepts metadata values of at most 500 characters. Without the field `slots`, a session counts as a checkout
 * for all plans and add-ons.
 */
const slotsField = (slots: readonly string[]) => {
  const text = slots.join(',');
  return text.length <= 500 ? { slots: text } : {};
};

/**
 * The fields of Stripe's session that Charter uses. Charter reads no other fields, because other fields may contain
 * names of persons.
 */
const Session = z.object({
  id: z.string(),
  url: z.url({ protocol: /^https?$/ }).nullable(),
  created: z.int(),
  expires_at: z.int(),
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  metadata: z.record(z.string(), z.string()).nullable(),
  subscription: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullable(),
});

function sessionOf(answer: object): CheckoutSession {
  const { id, url, created, expires_at, status, payment_status, metadata, subscription } = Session.parse(answer);
  return {
    ...{ id, url, status, subscription },
    ...{ started: created * 1_000, expires: expires_at * 1_000 },
    isPaid: payment_status !== 'unpaid',
    organization: metadata?.['organization'],
    slots: metadata?.['slots']?.split(','),
  };
}

/** The fields of an error of the `stripe` package, without its message, which may contain data of a customer. */
type StripeFailure = Readonly<{ type?: string; code?: string; param?: string; statusCode?: number }>;

/** The positions of the items that Stripe refuses; all positions if Stripe refuses the items together. */
function refusedItems(error: unknown, count: number): readonly number[] {
  const { type, param = '' } = error as StripeFailure;
  const named = /^line_items(?:\[(\d+)\])?/.exec(type === 'StripeInvalidRequestError' ? param : '');
  if (!named) return [];
  const index: string | undefined = named[1];
  return index === undefined ? Array.from({ length: count }, (_, position) => position) : [Number(index)];
}

/** Neither the answer nor the log contains the text of Stripe's error. */
function providerUnavailable(error: unknown) {
  const { type, code, param, statusCode } = error as StripeFailure;
  return retryLater(
    'unavailable',
    'The payment provider does not answer, or refuses the call. Send the request again later with the same Idempotency-Key.',
    RETRY_SECONDS,
  ).noting({ why: type ?? 'unreadable-answer', code, param, answered: statusCode });
}
const RETRY_SECONDS = 5;
