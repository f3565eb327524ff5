import type { Settings } from '@charter/settings';
import { ProblemError } from '../http/problems/problem';

/** What is asked of Stripe's own package: proving what Stripe sends, and asking what holds now. */
export type StripeClient = Readonly<{
  /** The message in a body that Stripe signed. @throws Stop 400: it is not signed, not as it was signed, or too old */
  proven: (body: Buffer, signatures: readonly string[], now: number) => Promise<unknown>;
  /** A subscription as it is now, with all its items; undefined when there is none. Absent without a secret key. */
  present: ((subscription: string) => Promise<object | undefined>) | undefined;
}>;

/** Stripe's own word for how old a signature may be (`acceptance.md` K3). */
const TOLERANCE_SECONDS = 300;
/** Whoever sends a message waits for our answer meanwhile. */
const ANSWER_MS = 3_000;

/** Undefined while no secret may sign: nothing is there then. The package is large, and loaded only where it is used. */
export function createStripeClient({ stripeWebhookSecrets, ...settings }: Settings): StripeClient | undefined {
  if (stripeWebhookSecrets.length === 0) return undefined;
  const loading = loaded();
  return {
    proven: async (body, signatures, now) => {
      const { webhooks } = (await loading).default;
      const [signature = '', ...more] = signatures;
      if (more.length > 0) throw unsigned('The header Stripe-Signature stands twice.');
      if (!isOfNow(signature, now)) throw unsigned(NOT_OURS);
      const text = textOf(body);
      for (const secret of stripeWebhookSecrets) {
        try {
          return webhooks.constructEvent(text, signature, secret, TOLERANCE_SECONDS, undefined, now);
        } catch {
          // Another secret may be the one. Why it is none of them says nothing that a stranger should hear.
        }
      }
      throw unsigned(NOT_OURS);
    },
    present:
      settings.stripeSecretKey === undefined ? undefined : presentBy(settings, settings.stripeSecretKey, loading),
  };
}

/** The package refuses what is too old alone, and takes what is no number for new. */
const isOfNow = (signature: string, now: number): boolean =>
  [...signature.matchAll(/(?:^|,)t=([^,]*)/g)].every(([, at]) => Number(at) - now / 1000 <= TOLERANCE_SECONDS);
const NOT_OURS = 'The body is not signed with a secret of ours, or not within five minutes of now.';

const loaded = () => import('stripe');

const unsigned = (detail: string) => new ProblemError(400, 'not-signed', detail).noting({ way: 'stripe' });

/** The very bytes that were signed: what is no UTF-8, or begins with a mark that readers skip, is not what Stripe sent. */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw unsigned('The body is not JSON in UTF-8.');
  }
}
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function presentBy(
  { stripeApi }: Pick<Settings, 'stripeApi'>,
  key: string,
  loading: ReturnType<typeof loaded>,
): StripeClient['present'] {
  const { protocol, hostname, port } = new URL(stripeApi);
  const at = { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port && { port }) } as const;
  const patience = { timeout: ANSWER_MS, maxNetworkRetries: 0, telemetry: false };
  const client = loading.then(({ default: Stripe }) => new Stripe(key, { ...at, ...patience }));
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
