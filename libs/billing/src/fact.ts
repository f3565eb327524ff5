import type { Moment } from '@charter/decider';
import type { ProductLine } from '@charter/organization';

/** The slot that a sale occupies: the plan of a line, or a purchase. */
export type SaleSlot =
  | Readonly<{ kind: 'plan'; line: ProductLine }>
  | Readonly<{ kind: 'add-on'; /** `decisions.md` 28 */ purchase: string }>;

/** A sale in a message. `item` is the provider's id of the sold item within the subscription. */
export type Hold =
  | Readonly<{ kind: 'plan'; line: ProductLine; plan: string; item?: string }>
  | Readonly<{ kind: 'add-on'; purchase: string; addOn: string; quantity: number; item?: string }>;

/** An item whose price and product have no entry in the catalogue. */
export type UnknownItem = Readonly<{ item: string; price: string; product: string; quantity: number }>;

/**
 * The content of a provider's message. It contains no personal data, so it is kept for ever. After the translation it
 * does not change, even if the catalogue changes.
 */
export type BillingFact = Readonly<{
  /** `stripe`, or `cloudevents:` and the source. */
  provider: string;
  /** The message's own id, unique for its provider. */
  id: string;
  type: string;
  /**
   * The time of the change, according to the provider. Stripe's whole seconds get milliseconds by message type
   * (`decisions.md` 24).
   */
  time: Moment;
  /** The organization of the message, once it is known. */
  organization?: string;
  customer?: string;
  subscription?: string;
  /**
   * True: the subscription holds exactly `holds` after the message. False: only the slots in the message have changed.
   */
  isWhole: boolean;
  holds: readonly Hold[];
  /** The slots that the message ends explicitly, independent of the other items. */
  ends: readonly SaleSlot[];
  unknown: readonly UnknownItem[];
  /** The subscription has more items than the message shows. */
  isPartial?: true;
  /**
   * Set when an operator has dismissed the message. `unknown`: its unknown items are not ours, and the other items were
   * applied on arrival. `all`: no part of the message is applied.
   */
  dismissed?: 'unknown' | 'all';
}>;

/** The fields that identify a message, including a message without an effect. */
export type MessageHead = Pick<BillingFact, 'provider' | 'id' | 'type' | 'time'>;

/** Why a message never has an effect. */
export type IgnoredReason = 'type-not-used' | 'test-mode' | 'other-account' | 'not-paid-yet';

/** Why a message waits for an operator. The reason of a refused command is used too. */
export type WaitingReason = 'unreadable' | 'unknown-price' | 'more-items' | 'unmapped-customer';

/** A reason for programs and a sentence for people, without personal data. */
export type ReasonWithDetail<Why extends string> = Readonly<{ reason: Why; detail: string }>;

export type TranslatedMessage = Readonly<{ head: MessageHead }> &
  (
    | Readonly<{ kind: 'fact'; fact: BillingFact }>
    | (Readonly<{ kind: 'ignored' }> & ReasonWithDetail<IgnoredReason>)
    | (Readonly<{ kind: 'quarantined' }> & ReasonWithDetail<'unreadable'>)
  );

/** Finds the plan or add-on of a payment provider's price or product id. The catalogue implements it. */
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

/** A text that is unique for each slot. */
export const slotKey = (slot: Hold | SaleSlot): string =>
  slot.kind === 'plan' ? `plan ${slot.line}` : `add-on ${slot.purchase}`;

/** Sorts older messages before newer ones; at equal moments the greater message id is newer (`decisions.md` 24). */
export const compareFacts = (one: MessageHead, other: MessageHead): number =>
  compareText(one.time, other.time) || compareText(one.id, other.id);

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
