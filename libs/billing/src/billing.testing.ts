import type { BillingFact, Prices } from './fact';

/** Values that the specs of this library share. */
export const acme = 'aaaaaaaa-0000-4000-8000-000000000001';
export const other = 'aaaaaaaa-0000-4000-8000-000000000002';

export const prices: Prices = {
  byProviderId: (id) =>
    ({
      price_solo: { kind: 'plan', line: 'second', plan: 'solo' } as const,
      prod_teams: { kind: 'plan', line: 'second', plan: 'teams' } as const,
      prod_essential: { kind: 'plan', line: 'first', plan: 'essential' } as const,
      prod_users: { kind: 'add-on', addOn: 'additionalUser' } as const,
    })[id],
};
/** A copy of the price list in which `price_new` is the price of an add-on. */
export const morePrices: Prices = {
  byProviderId: (id) => (id === 'price_new' ? { kind: 'add-on', addOn: 'feedback' } : prices.byProviderId(id)),
};

/** 2025-01-15T09:00:00Z, in seconds since 1970. */
export const nine = 1_736_931_600;

type Item = Readonly<{ id?: string; price?: string; product?: string; quantity?: number; created?: number }>;
export const item = ({ id = 'si_1', price = 'price_1', product = 'prod_1', ...more }: Item = {}) => ({
  id,
  created: nine,
  price: { id: price, product },
  ...more,
});
export const solo = item({ price: 'price_solo' });
export const users = (quantity: number) => item({ id: 'si_2', product: 'prod_users', quantity });
export const strange = item({ id: 'si_3', price: 'price_new', product: 'prod_new' });

export const subscription = (items: readonly object[], more: object = {}) => ({
  object: 'subscription',
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  metadata: { organization: acme },
  items: { data: items, has_more: false },
  ...more,
});
export const event = (change: string, object: object, more: object = {}) => ({
  object: 'event',
  id: 'evt_1',
  type: `customer.subscription.${change}`,
  created: nine,
  livemode: true,
  data: { object },
  ...more,
});

/** A complete Stripe fact with default values; the fields of `more` replace default values. */
export const factOf = (id: string, time: string, more: Partial<BillingFact> = {}): BillingFact => ({
  provider: 'stripe',
  id,
  type: 'customer.subscription.updated',
  time: `2025-01-15T${time}Z`,
  organization: acme,
  customer: 'cus_1',
  subscription: 'sub_1',
  isWhole: true,
  holds: [],
  ends: [],
  unknown: [],
  ...more,
});
export const holdSolo = { kind: 'plan', line: 'second', plan: 'solo', item: 'si_1' } as const;
export const holdTeams = { kind: 'plan', line: 'second', plan: 'teams', item: 'si_1' } as const;
export const holdUsers = (quantity: number) =>
  ({ kind: 'add-on', purchase: 'sub_1:si_2', addOn: 'additionalUser', quantity, item: 'si_2' }) as const;

/** A copy of the fact without one field. */
export const without = (field: 'organization' | 'subscription', fact: BillingFact): BillingFact =>
  Object.fromEntries(Object.entries(fact).filter(([key]) => key !== field)) as BillingFact;
