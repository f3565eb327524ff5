import type { Moment } from '@charter/decider';
import type { ProductLine } from '@charter/organization';

/** What something sold takes up: the plan of a line, or a purchase. */
export type SaleSlot =
  | Readonly<{ kind: 'plan'; line: ProductLine }>
  | Readonly<{ kind: 'add-on'; /** `decisions.md` 28 */ purchase: string }>;

/** Something that a message says is sold. `item`: the provider's id for it within the subscription. */
export type Hold =
  | Readonly<{ kind: 'plan'; line: ProductLine; plan: string; item?: string }>
  | Readonly<{ kind: 'add-on'; purchase: string; addOn: string; quantity: number; item?: string }>;

/** An item whose price and product name nothing that is for sale here. */
export type UnknownItem = Readonly<{ item: string; price: string; product: string; quantity: number }>;

/**
 * What a provider's message says, and nothing else of it: without anything personal, so that it is kept for ever. What was
 * once read from a message stays as it was read, whatever the catalogue says later.
 */
export type BillingFact = Readonly<{
  /** `stripe`, or `cloudevents:` and the source. */
  provider: string;
  /** The message's own id, unique for its provider. */
  id: string;
  type: string;
  /** When the provider says it happened; Stripe's whole seconds are refined by the kind of message (`decisions.md` 24). */
  time: Moment;
  /** The organization that it is about, once it is known. */
  organization?: string;
  customer?: string;
  subscription?: string;
  /** True: the subscription holds this and nothing else from then on. False: only what it names has changed. */
  isWhole: boolean;
  holds: readonly Hold[];
  /** What it ends by its own word, whatever else is known of the subscription. */
  ends: readonly SaleSlot[];
  unknown: readonly UnknownItem[];
  /** The subscription has more items than the message shows. */
  isPartial?: true;
  /**
   * Somebody said that it is not to be applied. `unknown`: what names nothing is nothing of ours, and the rest was told when it
   * came. `all`: nothing of it.
   */
  dismissed?: 'unknown' | 'all';
}>;

/** By what a message is known, also one that says nothing here. */
export type MessageHead = Pick<BillingFact, 'provider' | 'id' | 'type' | 'time'>;

/** Why a message changes nothing, for good. */
export type IgnoredReason = 'type-not-used' | 'test-mode' | 'other-account' | 'not-paid-yet';

/** Why a message waits for somebody. A refusal of the domain is a reason as well, in its own word. */
export type WaitingReason = 'unreadable' | 'unknown-price' | 'more-items' | 'unmapped-customer';

/** A reason to branch on and a sentence for people, without anything personal. */
export type ReasonWithDetail<Why extends string> = Readonly<{ reason: Why; detail: string }>;

export type TranslatedMessage = Readonly<{ head: MessageHead }> &
  (
    | Readonly<{ kind: 'fact'; fact: BillingFact }>
    | (Readonly<{ kind: 'ignored' }> & ReasonWithDetail<IgnoredReason>)
    | (Readonly<{ kind: 'quarantined' }> & ReasonWithDetail<'unreadable'>)
  );

/** What a payment provider's price or product id names. The catalogue is one. */
export type Prices = Readonly<{
  byProviderId: (
    id: string,
  ) =>
    | Readonly<{ kind: 'plan'; line: ProductLine; plan: string }>
    | Readonly<{ kind: 'add-on'; addOn: string }>
    | undefined;
}>;

export const slotOf = (hold: Hold | SaleSlot): SaleSlot =>
  hold.kind === 'plan' ? { kind: 'plan', line: hold.line } : { kind: 'add-on', purchase: hold.purchase };

/** One text for each place, to tell them apart. */
export const slotKey = (place: Hold | SaleSlot): string =>
  place.kind === 'plan' ? `plan ${place.line}` : `add-on ${place.purchase}`;

/** Older before newer; at equal moments the greater message id is the newer one (`decisions.md` 24). */
export const compareFacts = (one: MessageHead, other: MessageHead): number =>
  compareText(one.time, other.time) || compareText(one.id, other.id);

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
