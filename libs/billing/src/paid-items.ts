import type { Moment } from '@charter/decider';
import { saleInForce, type SaleEntry } from '@charter/organization';
import { timelineOf } from './fact-history';
import { type BillingFact, type Hold, slotKey, type UnknownItem } from './fact';

/** Something that the provider says is paid for. */
export type PaidItem = Readonly<{
  provider: string;
  subscription: string | null;
  /** The provider's id of the message that says so, and since when it does. */
  message: string;
  since: Moment;
}> &
  (Hold | (Readonly<{ kind: 'unknown' }> & UnknownItem));

/** All that is paid for by an organization at a moment, by what the providers have said. */
export function paidAt(organization: string, facts: readonly BillingFact[], at: Moment): readonly PaidItem[] {
  const ours = facts.map((fact): BillingFact => ({ organization, ...asSaid(fact) }));
  const subscriptions = Map.groupBy(
    ours.filter(({ isWhole }) => isWhole),
    ({ provider, subscription }) => JSON.stringify([provider, subscription]),
  );
  return [
    ...[...subscriptions.values()].flatMap((its) => bySubscription(organization, its, at)),
    ...byStatements(ours.filter((fact) => !fact.isWhole && fact.organization === organization && fact.time <= at)),
  ];
}

/** Paid for is also what somebody dismissed here. */
const asSaid = (fact: BillingFact): BillingFact =>
  fact.dismissed === 'all' ? { ...fact, dismissed: 'unknown' } : fact;

/** What a subscription holds, and the items that nobody here knows. */
function bySubscription(organization: string, facts: readonly BillingFact[], at: Moment): readonly PaidItem[] {
  const last = timelineOf(facts).findLast((step) => step.at <= at);
  if (!last) return [];
  const held = [...last.held.values()].filter((one) => one.organization === organization);
  const unknown = last.fact.organization === organization ? last.fact.unknown : [];
  return [
    ...held.map(({ hold, by }) => ({ ...saidBy(by), ...hold })),
    ...unknown.map((item) => ({ ...saidBy(last.fact), kind: 'unknown' as const, ...item })),
  ];
}

/** What single statements leave in force: of each place, by each subscription (`decisions.md` 24). */
function byStatements(facts: readonly BillingFact[]): readonly PaidItem[] {
  const statements = facts.flatMap((fact) => [
    ...fact.holds.map((hold) => ({ fact, key: slotKey(hold), hold })),
    ...fact.ends.map((place) => ({ fact, key: slotKey(place), hold: null })),
  ]);
  return [...Map.groupBy(statements, ({ key }) => key).values()].flatMap((said) => {
    const news = said.map(({ fact, hold }) => newsOf(fact, hold !== null));
    const endsOfAll = news.filter(({ subscription, what }) => subscription === null && what === null);
    return [...Map.groupBy(news, ({ subscription }) => subscription)].flatMap(([subscription, its]) => {
      const held = saleInForce<object>(subscription === null ? its : [...its, ...endsOfAll]);
      return said.flatMap(({ fact, hold }) =>
        hold && fact.id === held?.message ? [{ ...saidBy(fact), ...hold }] : [],
      );
    });
  });
}

const newsOf = ({ id, time, subscription }: BillingFact, isSold: boolean): SaleEntry<object> => ({
  event: 0,
  at: time,
  effectiveAt: time,
  message: id,
  subscription: subscription ?? null,
  what: isSold ? {} : null,
});

const saidBy = ({ provider, subscription, id, time }: BillingFact) => ({
  provider,
  subscription: subscription ?? null,
  message: id,
  since: time,
});
