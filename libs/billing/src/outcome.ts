import { type Immutable } from '@charter/decider';
import { inForce, type News, newsOf, type Organization } from '@charter/organization';
import { courseOf } from './fact-history';
import { type Fact, type Hold, type Place } from './fact';

/**
 * What became of a message (`api.md`, Billing). `overtaken`: it is recorded, and something newer holds in all that it speaks of.
 * `repeated`: it was here before.
 */
export const outcomes = ['applied', 'repeated', 'overtaken', 'ignored', 'quarantined'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * What became of a message that was told to its organization.
 * @param others the facts of all other messages of its subscription
 * @param organization as it is now
 */
export function outcomeOf(fact: Fact, others: readonly Fact[], organization: Organization): 'applied' | 'overtaken' {
  const isLast = courseOf([...others, fact]).findLast((step) => step.fact.dismissed !== 'all')?.fact.id === fact.id;
  if (fact.isWhole && !isLast) return 'overtaken';
  const said = [
    ...fact.holds.map((hold) => isHolding(fact, hold, organization)),
    ...fact.ends.map((place) => isOver(fact, place, organization)),
  ];
  return said.length === 0 || said.includes(true) ? 'applied' : 'overtaken';
}

/** What a message says is held counts as long as nothing newer is in force, and no end came after it. */
const isHolding = ({ id }: Fact, hold: Hold, organization: Organization) =>
  inForce(newsAt(hold, organization))?.message === id;

/** An end counts as long as nothing of what it ended was said again. */
const isOver = ({ subscription }: Fact, place: Place, organization: Organization) =>
  !inForce(newsAt(place, organization).filter((item) => !subscription || item.subscription === subscription));

const newsAt = (place: Hold | Place, organization: Organization): readonly Immutable<News<object>>[] =>
  place.kind === 'plan' ? organization.plans[place.line] : newsOf(organization, place.purchase);
