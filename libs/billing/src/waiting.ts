import type { Moment } from '@charter/decider';
import { type Because, type Fact, placeKey, type Prices, type WaitingReason } from './fact';
import { holdOf } from './subscription';

/** Why a message waits in the quarantine; nothing when all of it can be applied. What can be applied is not held back. */
export function waitingFor({ organization, unknown, isPartial, provider }: Fact): Because<WaitingReason> | undefined {
  if (organization === undefined)
    return {
      reason: 'unmapped-customer',
      detail: `No organization is linked to this customer of ${provider}, and the subscription names none.`,
    };
  if (unknown.length > 0)
    return {
      reason: 'unknown-price',
      detail: `Nothing is sold under ${unknown.map(({ price, product }) => `the price ${price} of the product ${product}`).join(', ')}.`,
    };
  if (isPartial) return { reason: 'more-items', detail: 'The subscription has more items than the message shows.' };
  return undefined;
}

/**
 * The same message, read again: what was read before stays, and what named nothing may name something now.
 * @param linked the organization that its customer is linked to
 */
export function readAgain(fact: Fact, prices: Prices, linked?: string): Fact {
  const { subscription, holds, unknown, organization = linked } = fact;
  const found = unknown.flatMap((item) => holdOf(subscription ?? '', item, prices) ?? []);
  const isFound = ({ item }: { item: string }) => found.some((hold) => hold.item === item);
  return {
    ...fact,
    ...(organization !== undefined && { organization }),
    holds: [...new Map([...holds, ...found].map((hold) => [placeKey(hold), hold])).values()],
    unknown: unknown.filter((item) => !isFound(item)),
  };
}

/**
 * Somebody says that it is not to be applied. Where it waits for what its items name, they are nothing of ours, and the rest of
 * the message, which was told when it came, is all that is held. Everything else of a message that waits was never told, and
 * stays untold.
 */
export function dismissed(fact: Fact, now: Moment): Fact {
  const { isWhole, isPartial, organization, unknown, time } = fact;
  const restWasTold = isWhole && !isPartial && organization !== undefined && unknown.length > 0 && time <= now;
  return restWasTold ? { ...fact, unknown: [], dismissed: 'unknown' } : { ...fact, dismissed: 'all' };
}
