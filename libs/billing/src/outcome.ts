import type { Immutable, Moment } from '@charter/decider';
import {
  saleInForce,
  type SaleEntry,
  saleEntriesOf,
  type Organization,
  type Plan,
  type Purchase,
} from '@charter/organization';
import { timelineOf } from './fact-history';
import { type BillingFact, type Hold, type SaleSlot } from './fact';

/**
 * The outcomes of messages (`api.md`, Billing). `overtaken`: Charter has recorded the message, but newer changes are in
 * force for all items of the message. `repeated`: the provider has delivered the message before.
 */
export const messageOutcomes = ['applied', 'repeated', 'overtaken', 'ignored', 'quarantined'] as const;
export type MessageOutcome = (typeof messageOutcomes)[number];

/**
 * The outcome of a message whose commands Charter has executed.
 * @param others the facts of all other messages about the message's subscription
 * @param organization the organization's current state
 */
export function outcomeOf(
  fact: BillingFact,
  others: readonly BillingFact[],
  organization: Organization,
): 'applied' | 'overtaken' {
  const last = timelineOf([...others, fact]).findLast((step) => step.fact.dismissed !== 'all');
  const messages = last ? [last.fact.id, ...last.sameMessages] : [];
  if (fact.isWhole && !messages.includes(fact.id)) return 'overtaken';
  const own = fact.isWhole ? { messages, at: last!.at } : { messages: [fact.id] };
  const effects = [
    ...fact.holds.map((hold) => isHolding(own, fact, hold, organization)),
    ...fact.ends.map((slot) => isEndInForce(fact, slot, organization)),
  ];
  return effects.length === 0 || effects.includes(true) ? 'applied' : 'overtaken';
}

/**
 * Whether a sale of the given messages is still in force, so no newer sale has replaced the sale, and no event has
 * ended it. With `at`, a sale by another message also counts if the sale has this moment and the same content. A sale
 * by an equal message means that another process has received that message at the same time.
 */
function isHolding(
  { messages, at }: Readonly<{ messages: readonly string[]; at?: Moment }>,
  { subscription }: BillingFact,
  hold: Hold,
  organization: Organization,
): boolean {
  const sale = saleInForce(entriesAt(hold, organization));
  if (!sale || sale.message === null) return false;
  if (messages.includes(sale.message)) return true;
  return sale.effectiveAt === at && sale.subscription === (subscription ?? null) && isSoldAs(hold, sale.what);
}

/** Whether a recorded sale has the content of a message's sale. */
export const isSoldAs = (hold: Hold, what: Immutable<Plan | Purchase>): boolean =>
  hold.kind === 'plan'
    ? 'plan' in what && what.plan === hold.plan
    : 'addOn' in what && what.addOn === hold.addOn && what.quantity === hold.quantity;

/** Whether an end is still in force: no ended item has been sold again. */
const isEndInForce = ({ subscription }: BillingFact, slot: SaleSlot, organization: Organization) =>
  !saleInForce(entriesAt(slot, organization).filter((item) => !subscription || item.subscription === subscription));

const entriesAt = (
  slot: Hold | SaleSlot,
  organization: Organization,
): readonly Immutable<SaleEntry<Plan | Purchase>>[] =>
  slot.kind === 'plan' ? organization.plans[slot.line] : saleEntriesOf(organization, slot.purchase);
