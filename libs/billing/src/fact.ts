import type { Moment } from '@charter/decider';
import type { ProductLine } from '@charter/organization';

/** A slot: the plan of a product line, or one purchase. A slot has at most one sale in force. */
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
 * The content of a provider's message, in Charter's terms. A fact contains no personal data, so Charter stores facts
 * for ever. Known items do not change after the translation, even if the catalogue changes.
 */
export type BillingFact = Readonly<{
  /** `stripe`, or `cloudevents:` followed by the source. */
  provider: string;
  /** The message's id, unique among the messages of its provider. */
  id: string;
  type: string;
  /**
   * The time of the change, according to the provider. Stripe names whole seconds; Charter adds milliseconds that
   * depend on the message's type (`decisions.md` 24).
   */
  time: Moment;
  /** The organization to which the message belongs; absent while Charter does not know the organization. */
  organization?: string;
  customer?: string;
  subscription?: string;
  /**
   * True if the message states the whole content of the subscription: the items in `holds` and `unknown`. False if the
   * message is a single statement, which changes only the slots that it names.
   */
  isWhole: boolean;
  holds: readonly Hold[];
  /** The slots that the message ends explicitly. */
  ends: readonly SaleSlot[];
  unknown: readonly UnknownItem[];
  /** The ids of all items, beginning with the item that was added first. Set only if the message has unknown items. */
  itemOrder?: readonly string[];
  /** Set if the subscription has more items than the message shows. */
  isPartial?: true;
  /**
   * Set if an operator has dismissed the message. `unknown`: Charter does not sell the unknown items; Charter had
   * applied the other items when the message arrived. `all`: Charter applies no part of the message.
   */
  dismissed?: 'unknown' | 'all';
}>;

/** The fields that every message has, even a message without effect. */
export type MessageHead = Pick<BillingFact, 'provider' | 'id' | 'type' | 'time'>;

/** Why Charter ignores a message. */
export type IgnoredReason = 'type-not-used' | 'test-mode' | 'other-account' | 'not-paid-yet';

/**
 * Why a message waits in quarantine. If a rule of the domain has refused a command of the message, the refusal's reason
 * takes the place of the listed reasons.
 */
export type WaitingReason = 'unreadable' | 'unknown-price' | 'more-items' | 'unmapped-customer';

/** A reason for programs and a sentence for people, without personal data. */
export type ReasonWithDetail<Why extends string> = Readonly<{ reason: Why; detail: string }>;

export type TranslatedMessage = Readonly<{ head: MessageHead }> &
  (
    | Readonly<{ kind: 'fact'; fact: BillingFact }>
    | (Readonly<{ kind: 'ignored' }> & ReasonWithDetail<IgnoredReason>)
    | (Readonly<{ kind: 'quarantined' }> & ReasonWithDetail<'unreadable'>)
  );

/** Finds the plan or add-on that has a payment provider's price or product id. The catalogue implements this port. */
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

/** A text that identifies a slot. */
export const slotKey = (slot: Hold | SaleSlot): string =>
  slot.kind === 'plan' ? `plan ${slot.line}` : `add-on ${slot.purchase}`;

/**
 * Sorts older messages before newer messages. Of two messages with the same time, the message with the greater id is
 * newer (`decisions.md` 24).
 */
export const compareFacts = (one: MessageHead, other: MessageHead): number =>
  compareText(one.time, other.time) || compareText(one.id, other.id);

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
