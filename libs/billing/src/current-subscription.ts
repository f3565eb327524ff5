import { mayStillHold } from './fact-history';
import { type BillingFact, slotKey, slotOf, type Prices } from './fact';
import { subscriptionFact } from './stripe';
import { StripeSubscription } from './subscription';

/**
 * Whether a message alone cannot say what holds: it does not show all items, or another one of its subscription carries the same
 * second and says something else. Then the present subscription is asked for, if it can be; but never for a message that
 * something newer is known of, for what holds now did not hold at its time.
 */
export function needsCurrentSubscription(fact: BillingFact, others: readonly BillingFact[]): boolean {
  if (fact.isPartial) return isNewest(fact, others);
  if (fact.provider !== 'stripe' || fact.ends.length > 0 || rank(fact.time) !== UPDATED_MS) return false;
  const rivals = others.filter(({ time }) => secondOf(time) === secondOf(fact.time) && isUpdate(rank(time)));
  return isNewest(fact, others) && rivals.some((rival) => !isSame(rival, fact));
}

const isNewest = (fact: BillingFact, others: readonly BillingFact[]) =>
  others.every(({ time, dismissed }) => dismissed === 'all' || secondOf(time) <= secondOf(fact.time));

/**
 * The message with what the subscription holds now, as Stripe answered for it. It counts after all others of its second but an
 * end, so that nothing hangs on the order of two ids. What the message itself said may have been told before Stripe answered: it
 * ends.
 * @throws z.ZodError when this is no subscription
 */
export function withCurrentSubscription(
  fact: BillingFact,
  subscription: unknown,
  prices: Prices,
  others: readonly BillingFact[],
): BillingFact {
  const { provider, id, type } = fact;
  const head = { provider, id, type, time: fact.time };
  const present = subscriptionFact(head, StripeSubscription.parse(subscription), prices);
  if (!present) return fact;
  const { organization = present.organization } = fact;
  const ofSecond = others.filter(({ time }) => secondOf(time) === secondOf(fact.time)).map(({ time }) => rank(time));
  const last = Math.max(FETCHED_MS, ...ofSecond.filter((ms) => ms < DELETED_MS - 1).map((ms) => ms + 1));
  const time = `${secondOf(fact.time)}.${String(last).padStart(3, '0')}Z`;
  const now: BillingFact = { ...present, ...(organization !== undefined && { organization }), time };
  const held = new Set(now.holds.map(slotKey));
  const lost = fact.holds.filter((hold) => !held.has(slotKey(hold)) && !mayStillHold(now, hold)).map(slotOf);
  const ends = new Map([...now.ends, ...lost].map((place) => [slotKey(place), place]));
  return { ...now, ends: [...ends.values()] };
}

const secondOf = (moment: string) => moment.slice(0, -'.000Z'.length);
const rank = (moment: string) => Number(moment.slice(-'000Z'.length, -1));

/** Milliseconds within Stripe's second (`decisions.md` 24); what was fetched counts between an update and an end. */
const UPDATED_MS = 500;
const FETCHED_MS = 750;
const DELETED_MS = 999;
const isUpdate = (ms: number) => ms >= UPDATED_MS && ms < DELETED_MS;

const isSame = (one: BillingFact, other: BillingFact) =>
  JSON.stringify([one.holds, one.ends, one.unknown]) === JSON.stringify([other.holds, other.ends, other.unknown]);
