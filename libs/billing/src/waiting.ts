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

/** Somebody says that what names nothing is nothing of ours: the rest of the message is all that is held. */
export const withoutUnknown = (fact: Fact): Fact => ({ ...fact, unknown: [] });
