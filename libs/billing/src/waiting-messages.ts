import type { Moment } from '@charter/decider';
import {
  type ReasonWithDetail,
  compareFacts,
  type BillingFact,
  slotKey,
  type Prices,
  type UnknownItem,
  type WaitingReason,
} from './fact';
import { holdOf, isTooMany } from './subscription';

/**
 * The reason why a message waits in quarantine; undefined: all of it can be applied. The known part of a waiting
 * message is applied anyway. A message that shows a part of its items stops waiting once a newer complete one exists.
 * @param others the facts of all other messages of its subscription
 */
export function quarantineReason(
  fact: BillingFact,
  others: readonly BillingFact[] = [],
): ReasonWithDetail<WaitingReason> | undefined {
  const { organization, unknown, provider } = fact;
  if (organization === undefined)
    return {
      reason: 'unmapped-customer',
      detail: `No organization is linked to this customer of ${provider}, and the subscription names none.`,
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

/** It states all that its subscription holds, so older messages are no longer needed. */
export const isComplete = (fact: BillingFact): boolean => fact.dismissed !== 'all' && !quarantineReason(fact);

/**
 * The older message shows a part of its subscription and need not wait for the rest, because a newer message is
 * complete.
 */
export const overtakes = (newer: BillingFact, { isPartial, ...older }: BillingFact): boolean =>
  isPartial === true && isComplete(newer) && compareFacts(newer, older) > 0;

/**
 * The message, translated again with today's prices. Items that were known keep their sale; unknown ones may be found
 * now.
 * @param linked the organization that its customer is linked to
 */
export function rereadFact(fact: BillingFact, prices: Prices, linked?: string): BillingFact {
  const { subscription, holds, unknown, organization = linked } = fact;
  const found = unknown.flatMap((item) => holdOf(subscription ?? '', item, prices) ?? []);
  const isFound = ({ item }: { item: string }) => found.some((hold) => hold.item === item);
  return {
    ...fact,
    ...(organization !== undefined && { organization }),
    holds: [...new Map([...holds, ...found].map((hold) => [slotKey(hold), hold])).values()],
    unknown: unknown.filter((item) => !isFound(item)),
  };
}

/**
 * An operator dismisses a waiting message. When it waits only for unknown items, these are not ours, and the rest was
 * applied on arrival. Every other waiting message was not applied, and stays so.
 */
export function dismissFact(fact: BillingFact, now: Moment): BillingFact {
  const { isWhole, isPartial, organization, unknown, time } = fact;
  const restWasApplied = isWhole && !isPartial && organization !== undefined && unknown.length > 0 && time <= now;
  return restWasApplied ? { ...fact, unknown: [], dismissed: 'unknown' } : { ...fact, dismissed: 'all' };
}
