import { type Immutable } from '@charter/decider';
import { saleInForce, type SaleEntry, saleEntriesOf, type Organization } from '@charter/organization';
import { timelineOf } from './fact-history';
import { type BillingFact, type Hold, type SaleSlot } from './fact';

/**
 * What became of a message (`api.md`, Billing). `overtaken`: it is recorded, and something newer holds in all that it speaks of.
 * `repeated`: it was here before.
 */
export type MessageOutcome = 'applied' | 'repeated' | 'overtaken' | 'ignored' | 'quarantined';

/**
 * What became of a message that was told to its organization.
 * @param others the facts of all other messages of its subscription
 * @param organization as it is now
 */
export function outcomeOf(
  fact: BillingFact,
  others: readonly BillingFact[],
  organization: Organization,
): 'applied' | 'overtaken' {
  const isLast = timelineOf([...others, fact]).findLast((step) => step.fact.dismissed !== 'all')?.fact.id === fact.id;
  if (fact.isWhole && !isLast) return 'overtaken';
  const said = [
    ...fact.holds.map((hold) => isHolding(fact, hold, organization)),
    ...fact.ends.map((place) => isOver(fact, place, organization)),
  ];
  return said.length === 0 || said.includes(true) ? 'applied' : 'overtaken';
}

/** What a message says is held counts as long as nothing newer is in force, and no end came after it. */
const isHolding = ({ id }: BillingFact, hold: Hold, organization: Organization) =>
  saleInForce(newsAt(hold, organization))?.message === id;

/** An end counts as long as nothing of what it ended was said again. */
const isOver = ({ subscription }: BillingFact, place: SaleSlot, organization: Organization) =>
  !saleInForce(newsAt(place, organization).filter((item) => !subscription || item.subscription === subscription));

const newsAt = (place: Hold | SaleSlot, organization: Organization): readonly Immutable<SaleEntry<object>>[] =>
  place.kind === 'plan' ? organization.plans[place.line] : saleEntriesOf(organization, place.purchase);
