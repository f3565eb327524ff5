import type { Moment } from '@charter/decider';
import {
  type ReasonWithDetail,
  compareFacts,
  type BillingFact,
  type Hold,
  slotKey,
  type Prices,
  type UnknownItem,
  type WaitingReason,
} from './fact';
import { holdOf, isTooMany } from './subscription';

/**
 * The reason why a message waits in quarantine; undefined if Charter can apply the whole message. Charter applies the
 * known items of a waiting message at once. A message that does not show all items stops waiting when a newer complete
 * message exists.
 * @param others the facts of all other messages about the message's subscription
 */
export function quarantineReason(
  fact: BillingFact,
  others: readonly BillingFact[] = [],
): ReasonWithDetail<WaitingReason> | undefined {
  const { organization, unknown, provider } = fact;
  if (organization === undefined)
    return {
      reason: 'unmapped-customer',
      detail: `No organization is linked to this customer of ${provider}, and the message names no organization.`,
    };
  if (unknown.length > 0)
    return {
      reason: 'unknown-price',
      detail: `Nothing is sold under ${unknown.map(describeItem).join(', ')}.`,
    };
  if (fact.isPartial && !others.some((other) => overtakes(other, fact)))
    return { reason: 'more-items', detail: 'The subscription has more items than the message shows.' };
  return undefined;
}

const describeItem = (item: UnknownItem) =>
  `the price ${item.price} of the product ${item.product}${isTooMany(item) ? ` in the quantity ${item.quantity}` : ''}`;

/**
 * Whether Charter knows the whole content of the subscription from this message alone. If so, Charter needs no older
 * message.
 */
export const isComplete = (fact: BillingFact): boolean => fact.dismissed !== 'all' && !quarantineReason(fact);

/**
 * Whether the older message does not show all items and the newer message is complete. If so, the older message stops
 * waiting.
 */
export const overtakes = (newer: BillingFact, { isPartial, ...older }: BillingFact): boolean =>
  isPartial === true && isComplete(newer) && compareFacts(newer, older) > 0;

/**
 * Translates the unknown items of a message anew, because the catalogue may now contain them. The sales of known items
 * stay the same, unless a newer item is now known as a plan of the same product line.
 * @param linked the organization to which the message's customer is linked
 */
export function rereadFact(fact: BillingFact, prices: Prices, linked?: string): BillingFact {
  const { subscription, holds, unknown, itemOrder = [], organization = linked } = fact;
  const found = unknown.flatMap((item) => holdOf(subscription ?? '', item, prices) ?? []);
  const isFound = ({ item }: { item: string }) => found.some((hold) => hold.item === item);
  const positionOf = ({ item = '' }: Hold) => itemOrder.indexOf(item);
  const sorted = [...holds, ...found].toSorted((one, other) => positionOf(one) - positionOf(other));
  return {
    ...fact,
    ...(organization !== undefined && { organization }),
    holds: [...new Map(sorted.map((hold) => [slotKey(hold), hold])).values()],
    unknown: unknown.filter((item) => !isFound(item)),
  };
}

/**
 * The fact of a waiting message after an operator has dismissed the message. If the message waits only because of
 * unknown items, Charter never sells these items; Charter had applied the other items when the message arrived. If the
 * message waits for another reason, Charter applies no part of the message. A repeated dismissal changes nothing.
 */
export function dismissFact(fact: BillingFact, now: Moment): BillingFact {
  const { isWhole, isPartial, organization, unknown, time, dismissed } = fact;
  if (dismissed !== undefined) return fact;
  const restWasApplied = isWhole && !isPartial && organization !== undefined && unknown.length > 0 && time <= now;
  return restWasApplied ? { ...fact, unknown: [], dismissed: 'unknown' } : { ...fact, dismissed: 'all' };
}
