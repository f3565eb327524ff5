import type { BillingMessage } from '@charter/database';

/**
 * The key of a message in the inbox. The key includes the provider, because an id is unique only within one provider.
 */
export type MessageKey = Pick<BillingMessage, 'provider' | 'id'>;

const STRIPE = 'stripe';
const OURS = 'ce_';

/**
 * The handle of a message in URLs and on the command line. For Stripe the handle is the id that Stripe shows. For other
 * providers the handle encodes both provider and id, because an id is unique only within one provider.
 */
export const handleOf = ({ provider, id }: MessageKey): string =>
  provider === STRIPE && !id.startsWith(OURS)
    ? id
    : `${OURS}${Buffer.from(JSON.stringify([provider, id])).toString('base64url')}`;

/** The key of the message that a handle names; undefined if the text is not a handle. */
export function messageKeyOf(handle: string): MessageKey | undefined {
  if (!handle.startsWith(OURS)) return { provider: STRIPE, id: handle };
  try {
    const decoded: unknown = JSON.parse(Buffer.from(handle.slice(OURS.length), 'base64url').toString());
    if (!Array.isArray(decoded) || decoded.length !== 2) return undefined;
    const [provider, id] = decoded as unknown[];
    return typeof provider === 'string' && typeof id === 'string' ? { provider, id } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The provider's name in events and logs: `stripe` or `cloudevents`. The source of a CloudEvent is left out, because it
 * may be any text.
 */
export const providerNameOf = ({ provider }: Pick<MessageKey, 'provider'>): 'stripe' | 'cloudevents' =>
  provider === STRIPE ? 'stripe' : 'cloudevents';
