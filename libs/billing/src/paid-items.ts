import type { Moment } from '@charter/decider';
import { saleInForce, type SaleEntry } from '@charter/organization';
import { timelineOf } from './fact-history';
import { type BillingFact, type Hold, slotKey, type UnknownItem } from './fact';

/** An item that the provider reports as paid. */
export type PaidItem = Readonly<{
  provider: string;
  subscription: string | null;
  /** The id of the message in which the provider reports the item. `since` is the message's time. */
  message: string;
  since: Moment;
}> &
  (Hold | (Readonly<{ kind: 'unknown' }> & UnknownItem));

/** All items that an organization pays for at a moment, according to the providers' messages. */
export function paidAt(organization: string, facts: readonly BillingFact[], at: Moment): readonly PaidItem[] {
  const ours = facts.map((fact): BillingFact => ({ organization, ...asSent(fact) }));
  const subscriptions = Map.groupBy(
    ours.filter(({ isWhole }) => isWhole),
    ({ provider, subscription }) => JSON.stringify([provider, subscription]),
  );
  return [
    ...[...subscriptions.values()].flatMap((group) => bySubscription(organization, group, at)),
    ...byStatements(ours.filter((fact) => !fact.isWhole && fact.organization === organization && fact.time <= at)),
  ];
}

/** Restores the items of a dismissed message, because the organization still pays for these items. */
const asSent = (fact: BillingFact): BillingFact =>
  fact.dismissed === 'all' ? { ...fact, dismissed: 'unknown' } : fact;

/** The items that one subscription contains at a moment, including unknown items. */
function bySubscription(organization: string, facts: readonly BillingFact[], at: Moment): readonly PaidItem[] {
  const last = timelineOf(facts).findLast((step) => step.at <= at);
  if (!last) return [];
  const held = [...last.held.values()].filter((sale) => sale.organization === organization);
  const unknown = last.fact.organization === organization ? last.fact.unknown : [];
  return [
    ...held.map(({ hold, by: fact }) => ({ ...sourceOf(fact), ...hold })),
    ...unknown.map((item) => ({ ...sourceOf(last.fact), kind: 'unknown' as const, ...item })),
  ];
}

/** The sales in force according to single statements, for each slot and subscription (`decisions.md` 24). */
function byStatements(facts: readonly BillingFact[]): readonly PaidItem[] {
  const statements = facts.flatMap((fact) => [
    ...fact.holds.map((hold) => ({ key: slotKey(hold), entry: entryOf(fact, { ...sourceOf(fact), ...hold }) })),
    ...fact.ends.map((slot) => ({ key: slotKey(slot), entry: entryOf(fact, null) })),
  ]);
  return [...Map.groupBy(statements, ({ key }) => key).values()].flatMap((ofSlot) => {
    const entries = ofSlot.map(({ entry }) => entry);
    const endsOfAll = entries.filter(({ subscription, what }) => subscription === null && what === null);
    return [...Map.groupBy(entries, ({ subscription }) => subscription)].flatMap(([subscription, group]) => {
      const held = saleInForce<PaidItem>(subscription === null ? group : [...group, ...endsOfAll]);
      return held ? [held.what] : [];
    });
  });
}

const entryOf = ({ id, time, subscription }: BillingFact, what: PaidItem | null): SaleEntry<PaidItem> => ({
  event: 0,
  at: time,
  effectiveAt: time,
  message: id,
  subscription: subscription ?? null,
  what,
});

const sourceOf = ({ provider, subscription, id, time }: BillingFact) => ({
  provider,
  subscription: subscription ?? null,
  message: id,
  since: time,
});
