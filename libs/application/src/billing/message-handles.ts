import type { BillingMessage } from '@charter/database';

/** By what a message is known: its own id, unique for its provider. */
export type MessageKey = Pick<BillingMessage, 'provider' | 'id'>;

const STRIPE = 'stripe';
const OURS = 'ce_';

/**
 * What people call a message, in addresses and on the command line: the id that Stripe shows, and one made from provider and id
 * for all others, whose ids are only unique within their source.
 */
export const handleOf = ({ provider, id }: MessageKey): string =>
  provider === STRIPE && !id.startsWith(OURS)
    ? id
    : `${OURS}${Buffer.from(JSON.stringify([provider, id])).toString('base64url')}`;

/** Which message a handle is of; undefined: it is no handle. */
export function messageKeyOf(handle: string): MessageKey | undefined {
  if (!handle.startsWith(OURS)) return { provider: STRIPE, id: handle };
  try {
    const named: unknown = JSON.parse(Buffer.from(handle.slice(OURS.length), 'base64url').toString());
    if (!Array.isArray(named) || named.length !== 2) return undefined;
    const [provider, id] = named as unknown[];
    return typeof provider === 'string' && typeof id === 'string' ? { provider, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Who speaks, as events and the log have it: closed words, for a source may be called anything. */
export const providerNameOf = ({ provider }: Pick<MessageKey, 'provider'>): 'stripe' | 'cloudevents' =>
  provider === STRIPE ? 'stripe' : 'cloudevents';
