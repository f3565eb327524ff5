import {
  BillingEvent,
  cloudEventFacts,
  stripeFacts,
  type StripeOptions,
  type TranslatedMessage,
} from '@charter/billing';
import type { BillingMessage, NewMessage } from '@charter/database';
import type { BillingFact } from '@charter/billing';
import { providerNameOf } from './message-handles';

/** A message as it is put into the inbox: the text as it came, and what it says. */
export function newMessage(translated: TranslatedMessage, raw: string): NewMessage<BillingFact> {
  const fact = translated.kind === 'fact' ? translated.fact : null;
  const { provider, id, type, time } = translated.head;
  const about = {
    organization: fact?.organization ?? null,
    customer: fact?.customer ?? null,
    subscription: fact?.subscription ?? null,
  };
  return { provider, id, type, time, ...about, fact, raw };
}

/**
 * What a stored message says: what was once read from it stays as it was read. From one that said nothing it is read again,
 * for a later release may understand it.
 */
export function readStoredMessage(message: BillingMessage<BillingFact>, reading: StripeOptions): TranslatedMessage {
  const { provider, id, type, time, fact, raw } = message;
  const head = { provider, id, type, time };
  if (fact) return { head, kind: 'fact', fact };
  const again = raw === null ? undefined : translated(message, raw, reading);
  if (!again) return { head, kind: 'quarantined', reason: 'unreadable', detail: 'Its text is not kept any more.' };
  return again.kind === 'fact' ? { head, kind: 'fact', fact: { ...again.fact, provider } } : { ...again, head };
}

function translated(
  message: BillingMessage<BillingFact>,
  raw: string,
  reading: StripeOptions,
): TranslatedMessage | undefined {
  const said: unknown = JSON.parse(raw);
  return providerNameOf(message) === 'stripe' ? stripeFacts(said, reading) : cloudEventFacts(BillingEvent.parse(said));
}
