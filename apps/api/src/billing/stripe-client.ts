import type { Settings } from '@charter/settings';
import type Stripe from 'stripe' with { 'resolution-mode': 'import' };
import { ProblemError } from '../http/problems/problem';
import { type CheckoutProvider, stripeCheckout } from './checkout/stripe-checkout';

/**
 * Charter's interface to the `stripe` package: verifies signatures, reads subscriptions, and starts and reads
 * checkouts.
 */
export type StripeClient = Readonly<{
  /**
   * Verifies the signature of a body and returns the message in the body.
   * @throws ProblemError 400 if the signature is missing or wrong, or if the time in the signature differs too much
   * from now
   */
  proven: (body: Buffer, signatures: readonly string[], now: number) => Promise<unknown>;
  /**
   * Reads the current subscription with all its items, or undefined if Stripe has no subscription with this id. The
   * function itself is undefined if the settings contain no secret key for Stripe.
   */
  present: ((subscription: string) => Promise<object | undefined>) | undefined;
  /** Starts and reads checkouts; undefined if the settings contain no secret key for Stripe. */
  checkout: CheckoutProvider | undefined;
}>;

/**
 * The maximum difference, in seconds, between the time of a signature and now, as Stripe recommends (`acceptance.md`
 * K3).
 */
const TOLERANCE_SECONDS = 300;
/**
 * The time limit of a call to Stripe. The limit is short, because Charter often calls Stripe while Stripe waits for the
 * response to a webhook message.
 */
const ANSWER_MS = 3_000;

/**
 * Returns undefined if the settings contain no webhook secret. Only this function loads the `stripe` package, because
 * the package is large.
 */
export function createStripeClient({ stripeWebhookSecrets, ...settings }: Settings): StripeClient | undefined {
  if (stripeWebhookSecrets.length === 0) return undefined;
  const loading = loaded();
  const { stripeSecretKey: key } = settings;
  const client = key === undefined ? undefined : clientOf(settings, key, loading);
  return {
    proven: async (body, signatures, now) => {
      const { webhooks } = (await loading).default;
      const [signature, ...more] = signatures;
      if (!signature) throw unsigned('The header Stripe-Signature is missing.');
      if (more.length > 0) throw unsigned('The request has more than one header Stripe-Signature.');
      if (!isOfNow(signature, now)) throw unsigned(NOT_OURS);
      const text = textOf(body);
      for (const secret of stripeWebhookSecrets) {
        try {
          return webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, now);
        } catch {
          // Tries the next configured secret. The answer does not say why a signature does not match.
        }
      }
      throw unsigned(NOT_OURS);
    },
    present: client && presentBy(client),
    checkout: client && stripeCheckout(client),
  };
}

/**
 * The `stripe` package refuses only timestamps that are too old. Charter's own check also refuses timestamps too far in
 * the future, and timestamps that are not numbers.
 */
const isOfNow = (signature: string, now: number): boolean =>
  [...signature.matchAll(/(?:^|,)t=([^,]*)/g)].every(([, at]) => Number(at) - now / 1000 <= TOLERANCE_SECONDS);
const NOT_OURS =
  'The signature of the body does not match a configured secret, or its time differs by more than five minutes from now. Compare STRIPE_WEBHOOK_SECRETS with the signing secret of the endpoint at Stripe, and check the clock of the server.';

const loaded = () => import('stripe');

const unsigned = (detail: string) => new ProblemError(400, 'not-signed', detail).noting({ way: 'stripe' });

/** Decodes the body strictly: Stripe never sends invalid UTF-8 or a byte order mark. */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw unsigned('The body is not JSON in UTF-8.');
  }
}
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function clientOf(
  { stripeApi }: Pick<Settings, 'stripeApi'>,
  key: string,
  loading: ReturnType<typeof loaded>,
): Promise<Stripe> {
  const { protocol, hostname, port } = new URL(stripeApi);
  const at = { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port && { port }) } as const;
  const limits = { timeout: ANSWER_MS, maxNetworkRetries: 0, telemetry: false };
  const { default: StripeOfPackage } = await loading;
  return new StripeOfPackage(key, { ...at, ...limits });
}

function presentBy(client: Promise<Stripe>): StripeClient['present'] {
  return async (id) => {
    const { subscriptions, subscriptionItems } = await client;
    try {
      const subscription = await subscriptions.retrieve(id);
      if (!subscription.items.has_more) return subscription;
      const data = await subscriptionItems.list({ subscription: id, limit: 100 }).autoPagingToArray({ limit: 1_000 });
      return { ...subscription, items: { data, has_more: false } };
    } catch (error) {
      if ((error as { code?: unknown }).code === 'resource_missing') return undefined;
      throw error;
    }
  };
}
