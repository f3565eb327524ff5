import { mayStillHold } from './fact-history';
import { type BillingFact, slotKey, slotOf, type Prices } from './fact';
import { subscriptionFact } from './stripe';
import { StripeSubscription } from './subscription';

/**
 * Whether the process must fetch the current subscription from Stripe, because the messages do not determine the
 * subscription's content. True if the message does not show all items, or if another message of the same second has
 * different content. False if a newer message is known: Stripe returns only the newest state, which did not exist at
 * this message's time.
 */
export function needsCurrentSubscription(fact: BillingFact, others: readonly BillingFact[]): boolean {
  if (fact.isPartial) return isNewest(fact, others);
  if (fact.provider !== 'stripe' || fact.ends.length > 0 || millisecondsOf(fact.time) !== UPDATED_MS) return false;
  const rivals = others.filter(({ time }) => secondOf(time) === secondOf(fact.time) && isUpdate(millisecondsOf(time)));
  return isNewest(fact, others) && rivals.some((rival) => !isSame(rival, fact));
}

const isNewest = (fact: BillingFact, others: readonly BillingFact[]) =>
  others.every(({ time, dismissed }) => dismissed === 'all' || secondOf(time) <= secondOf(fact.time));

/**
 * Replaces the message's content by the subscription's current content, which Stripe has returned. The result takes
 * effect after all other messages of the same second, but before an end. With the fetched content, the ids of the
 * messages no longer decide the order of the messages. Charter may have applied the message's own items before the
 * fetch, so the result ends the items that the current content no longer contains.
 * @throws z.ZodError when the object is not a subscription
 */
export function withCurrentSubscription(
  fact: BillingFact,
  subscription: unknown,
  prices: Prices,
  others: readonly BillingFact[],
): BillingFact {
  const { provider, id, type } = fact;
  const head = { provider, id, type, time: fact.time };
  const current = subscriptionFact(head, StripeSubscription.parse(subscription), prices);
  if (!current) return fact;
  const { organization = current.organization } = fact;
  const ofSecond = others
    .filter(({ time }) => secondOf(time) === secondOf(fact.time))
    .map(({ time }) => millisecondsOf(time));
  const last = Math.max(FETCHED_MS, ...ofSecond.filter((ms) => ms < DELETED_MS - 1).map((ms) => ms + 1));
  const time = `${secondOf(fact.time)}.${String(last).padStart(3, '0')}Z`;
  const now: BillingFact = { ...current, ...(organization !== undefined && { organization }), time };
  const held = new Set(now.holds.map(slotKey));
  const lost = fact.holds.filter((hold) => !held.has(slotKey(hold)) && !mayStillHold(now, hold)).map(slotOf);
  const ends = new Map([...now.ends, ...lost].map((slot) => [slotKey(slot), slot]));
  return { ...now, ends: [...ends.values()] };
}

const secondOf = (moment: string) => moment.slice(0, -'.000Z'.length);
const millisecondsOf = (moment: string) => Number(moment.slice(-'000Z'.length, -1));

/**
 * Milliseconds that Charter adds to Stripe's whole seconds (`decisions.md` 24). A fetched state takes effect after an
 * update and before an end.
 */
const UPDATED_MS = 500;
const FETCHED_MS = 750;
const DELETED_MS = 999;
const isUpdate = (ms: number) => ms >= UPDATED_MS && ms < DELETED_MS;

const isSame = (one: BillingFact, other: BillingFact) =>
  JSON.stringify([one.holds, one.ends, one.unknown]) === JSON.stringify([other.holds, other.ends, other.unknown]);
