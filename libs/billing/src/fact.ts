import type { Moment } from '@charter/decider';
import type { ProductLine } from '@charter/organization';

/** The slot that a sale occupies: the plan of a line, or a purchase. */
export type SaleSlot =
  | Readonly<{ kind: 'plan'; line: ProductLine }>
  | Readonly<{ kind: 'add-on'; /** `decisions.md` 28 */ purchase: string }>;

/** Something that a message sells. `item`: the provider's id for it within the subscription. */
export type Hold =
  | Readonly<{ kind: 'plan'; line: ProductLine; plan: string; item?: string }>
  | Readonly<{ kind: 'add-on'; purchase: string; addOn: string; quantity: number; item?: string }>;

/** An item whose price and product name nothing in the catalogue. */
export type UnknownItem = Readonly<{ item: string; price: string; product: string; quantity: number }>;

/**
 * The content of a provider's message. It holds nothing personal, so it is kept for ever. Once translated, it stays as
 * it is, whatever the catalogue says later.
 */
export type BillingFact = Readonly<{
  /** `stripe`, or `cloudevents:` and the source. */
  provider: string;
  /** The message's own id, unique for its provider. */
  id: string;
  type: string;
  /**
   * When the provider says it happened. Stripe's whole seconds get milliseconds by message type (`decisions.md` 24).
   */
  time: Moment;
  /** The organization that it is about, once known. */
  organization?: string;
  customer?: string;
  subscription?: string;
  /** True: the subscription now holds `holds` and nothing else. False: only the slots that it names have changed. */
  isWhole: boolean;
  holds: readonly Hold[];
  /** The slots that it ends explicitly, whatever else the subscription holds. */
  ends: readonly SaleSlot[];
  unknown: readonly UnknownItem[];
  /** The subscription has more items than the message shows. */
  isPartial?: true;
  /**
   * An operator dismissed the message. `unknown`: its unknown items are not ours, and the rest was applied on arrival.
   * `all`: no part of the message is applied.
   */
  dismissed?: 'unknown' | 'all';
}>;

/** The parts that identify a message, also a message that changes nothing here. */
export type MessageHead = Pick<BillingFact, 'provider' | 'id' | 'type' | 'time'>;

/** Why a message never changes anything. */
export type IgnoredReason = 'type-not-used' | 'test-mode' | 'other-account' | 'not-paid-yet';

/** Why a message waits for an operator. The reason of a refused command is used as well. */
export type WaitingReason = 'unreadable' | 'unknown-price' | 'more-items' | 'unmapped-customer';

/** A reason for programs and a sentence for people, without anything personal. */
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

/** Older before newer; at equal moments the greater message id is the newer one (`decisions.md` 24). */
export const compareFacts = (one: MessageHead, other: MessageHead): number =>
  compareText(one.time, other.time) || compareText(one.id, other.id);

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
