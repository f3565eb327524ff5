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
 * Why a message waits in the quarantine; nothing when all of it can be applied. What can be applied is not held back. What else
 * a message held that shows a part of it, nobody can say any more once something newer of its subscription is sure.
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
      detail: `Nothing is sold under ${unknown.map(named).join(', ')}.`,
    };
  if (fact.isPartial && !others.some((other) => overtakes(other, fact)))
    return { reason: 'more-items', detail: 'The subscription has more items than the message shows.' };
  return undefined;
}

const named = (item: UnknownItem) =>
  `the price ${item.price} of the product ${item.product}${isTooMany(item) ? ` in the quantity ${item.quantity}` : ''}`;

/** It is sure of all that its subscription holds: nothing older needs to be known any more. */
export const isComplete = (fact: BillingFact): boolean => fact.dismissed !== 'all' && !quarantineReason(fact);

/** The older message shows a part of its subscription, and need not wait for the rest of it. */
export const overtakes = (newer: BillingFact, { isPartial, ...older }: BillingFact): boolean =>
  isPartial === true && isComplete(newer) && compareFacts(newer, older) > 0;

/**
 * The same message, read again: what was read before stays, and what named nothing may name something now.
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
 * Somebody says that it is not to be applied. Where it waits for what its items name, they are nothing of ours, and the rest of
 * the message, which was told when it came, is all that is held. Everything else of a message that waits was never told, and
 * stays untold.
 */
export function dismissFact(fact: BillingFact, now: Moment): BillingFact {
  const { isWhole, isPartial, organization, unknown, time } = fact;
  const restWasTold = isWhole && !isPartial && organization !== undefined && unknown.length > 0 && time <= now;
  return restWasTold ? { ...fact, unknown: [], dismissed: 'unknown' } : { ...fact, dismissed: 'all' };
}
