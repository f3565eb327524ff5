import {
  BillingEvent,
  cloudEventFacts,
  stripeFacts,
  type StripeOptions,
  type TranslatedMessage,
} from '@charter/billing';
import type { BillingMessage, MessageContent, NewMessage } from '@charter/database';
import type { BillingFact } from '@charter/billing';
import { providerNameOf } from './message-handles';

/** Makes a message for the inbox from the message's original text and its translation. */
export function newMessage(translated: TranslatedMessage, raw: string): NewMessage<BillingFact> {
  const { provider, id, type, time } = translated.head;
  return { provider, id, type, time, ...contentOfMessage(translated.kind === 'fact' ? translated.fact : null), raw };
}

/** The fields of a stored message that the message's fact determines. */
export const contentOfMessage = (fact: BillingFact | null): MessageContent<BillingFact> => ({
  organization: fact?.organization ?? null,
  customer: fact?.customer ?? null,
  subscription: fact?.subscription ?? null,
  fact,
});

/**
 * Reads the content of a stored message. If the message has a stored fact, that fact is the message's content. A
 * message without a fact is translated anew, because this release may understand more than the release that stored the
 * message.
 */
export function readStoredMessage(message: BillingMessage<BillingFact>, reading: StripeOptions): TranslatedMessage {
  const { provider, id, type, time, fact, raw } = message;
  const head = { provider, id, type, time };
  if (fact) return { head, kind: 'fact', fact };
  const result = raw === null ? undefined : translated(message, raw, reading);
  if (!result)
    return { head, kind: 'quarantined', reason: 'unreadable', detail: 'The text of the message is no longer stored.' };
  return result.kind === 'fact' ? { head, kind: 'fact', fact: { ...result.fact, provider } } : { ...result, head };
}

function translated(
  message: BillingMessage<BillingFact>,
  raw: string,
  reading: StripeOptions,
): TranslatedMessage | undefined {
  const parsed: unknown = JSON.parse(raw);
  return providerNameOf(message) === 'stripe'
    ? stripeFacts(parsed, reading)
    : cloudEventFacts(BillingEvent.parse(parsed));
}
