import { givenFor } from '@charter/decider';
import type { Catalogue } from '../catalogue';
import { organizationDecider } from '../decide';
import { purchasesInForce } from '../entitlements';
import type { OrganizationEvent } from '../events';
import {
  billing,
  bought,
  catalogue,
  closed,
  founded,
  given,
  now,
  operator,
  withKey,
} from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';
import { Feature } from '../terms';
import { PurchaseAddOn } from './purchase-add-on';

const earlier = '2026-10-01T00:00:00.000Z';
const between = '2026-10-15T00:00:00.000Z';
const ahead = '2026-11-01T00:04:00.000Z';
const purchase = 'p-additionalUser';
const buy = (quantity: number, more: Partial<PurchaseAddOn> = {}) =>
  ({ type: 'PurchaseAddOn', data: { addOn: 'additionalUser', quantity, purchase, ...more } }) as const;
const boughtAt = (quantity: number, effectiveAt: string, subscription?: string): OrganizationEvent => {
  const { data } = bought(quantity, 'additionalUser') as Extract<OrganizationEvent, { type: 'AddOnPurchased' }>;
  return { type: 'AddOnPurchased', data: { ...data, effectiveAt, ...(subscription && { subscription }) } };
};
const cancelled = { type: 'AddOnCancelled', data: { purchase, addOn: 'additionalUser', effectiveAt: now } } as const;
const held = (...events: OrganizationEvent[]) =>
  purchasesInForce(given(founded, ...events).state()).map(({ addOn, quantity }) => `${quantity} ${addOn}`);

/** The catalogue a year later, in which one unit grants two users. */
const kinder: Catalogue = { ...catalogue, grants: () => ({ limits: { users: 2 }, features: [] }) };
const givenLater = givenFor(organizationDecider(kinder), { actor: operator, at: now });

describe('PurchaseAddOn', () => {
  it("records the add-on's grants once, however often the command is sent", () => {
    expect(given(founded).when(buy(3))).toEqual([bought(3, 'additionalUser')]);
    expect(given(founded, bought(3, 'additionalUser')).when(buy(3))).toEqual([]);
  });

  it('records nothing for a known purchase, even with another quantity', () => {
    expect(given(founded, bought(3, 'additionalUser')).when(buy(5))).toEqual([]);
  });

  it('has quantity 1 by default', () => {
    expect(PurchaseAddOn.parse({ addOn: 'feedback' })).toEqual({ addOn: 'feedback', quantity: 1 });
  });

  it.each(['unknown', 'additionaluser', ''])('is refused for "%s", which is not for sale', (addOn) => {
    expect(given(founded).when(buy(1, { addOn }))).toMatchObject({ refused: 'unknown-add-on', facts: { addOn } });
  });

  it('is refused if its id belongs to a cancelled purchase', () => {
    const { when } = given(founded, bought(3, 'additionalUser'), cancelled);
    expect(when(buy(3))).toMatchObject({ refused: 'purchase-cancelled', facts: { purchase } });
    expect(when(buy(3, { effectiveAt: now }))).toMatchObject({ refused: 'purchase-cancelled' });
    expect(given(founded, cancelled).when(buy(3))).toMatchObject({ refused: 'purchase-cancelled' });
  });

  it('accepts the purchase id `constructor`, although every object has a property with this name', () => {
    const odd = buy(1, { purchase: 'constructor' });
    const event = bought(1, 'additionalUser', 'constructor');
    expect(given(founded).when(odd)).toEqual([event]);
    expect(given(founded, event).when(odd)).toEqual([]);
    expect(held(event, bought(2, 'additionalUser', 'toString'))).toEqual(['1 additionalUser', '2 additionalUser']);
  });

  it('uses the grants that an operator names, or the grants of an earlier sale, also for a new purchase', () => {
    const grants = { limits: { users: 9 }, features: [] };
    expect(given(founded).when(buy(1, { grants }))).toMatchObject([{ data: { grants } }]);
    const again = buy(2, { purchase: 'p-new', grants: { termsOf: 1 } });
    const { when } = givenLater(founded, bought(3, 'additionalUser'), cancelled);
    expect(when(again)).toEqual([bought(2, 'additionalUser', 'p-new')]);
    expect(when(buy(2, { purchase: 'p-new', grants: { termsOf: 2 } }))).toMatchObject({ refused: 'no-such-sale' });
    const other = buy(1, { purchase: 'p-new', addOn: 'feedback', grants: { termsOf: 1 } });
    expect(when(other)).toMatchObject({ refused: 'no-such-sale' });
  });

  it('accepts in its grants at most as many features as Charter has', () => {
    const naming = (features: readonly Feature[]) =>
      PurchaseAddOn.safeParse({ addOn: 'feedback', grants: { limits: {}, features } }).success;
    expect(naming(Feature.options)).toBe(true);
    expect(naming([...Feature.options, 'feedback'])).toBe(false);
  });

  it('is refused if an API key or billing names grants', () => {
    const named = buy(1, { grants: { limits: {}, features: [] } });
    for (const caller of [withKey('billing:write'), billing('m-1')])
      expect(given(founded).when(named, caller)).toMatchObject({ refused: 'not-allowed' });
  });

  it('records each quantity from billing as the new total', () => {
    const fact = buy(1, { effectiveAt: now });
    expect(given(founded, boughtAt(3, earlier)).when(fact, billing('evt_1'))).toEqual([boughtAt(1, now)]);
    expect(held(boughtAt(3, earlier), boughtAt(1, now))).toEqual(['1 additionalUser']);
  });

  it('records a late billing message for a cancelled purchase, which stays cancelled', () => {
    const late = buy(9, { effectiveAt: earlier });
    const { when } = given(founded, bought(3, 'additionalUser'), cancelled);
    expect(when(late, billing('evt_1'))).toEqual([boughtAt(9, earlier)]);
    expect(held(bought(3, 'additionalUser'), cancelled, boughtAt(9, earlier))).toEqual([]);
  });

  it('takes effect after a recorded end if the message has no `effectiveAt`', () => {
    const { when } = given(founded, bought(3, 'additionalUser'), cancelled);
    expect(when(buy(3), billing('evt_1'))).toEqual([boughtAt(3, '2026-11-01T00:00:00.001Z')]);
  });

  it('records each billing message once, even if another message has the same content', () => {
    const givenBilling = givenFor(organizationDecider(catalogue), { ...billing('evt_1'), at: now });
    const command = buy(3, { effectiveAt: earlier, subscription: 'sub_1' });
    const event = boughtAt(3, earlier, 'sub_1');
    expect(givenBilling(founded).when(command)).toEqual([event]);
    expect(givenBilling(founded, event).when(command)).toEqual([]);
    expect(givenBilling(founded, event).when(command, billing('evt_2'))).toEqual([event]);
    expect(givenBilling(founded, event).when(buy(3, { effectiveAt: earlier, subscription: 'sub_2' }))).toHaveLength(1);
  });

  it('does not change the grants of a purchase if only the quantity changes', () => {
    const fact = buy(5, { effectiveAt: now });
    expect(givenLater(founded, boughtAt(3, earlier)).when(fact, billing('evt_1'))).toEqual([boughtAt(5, now)]);
    expect(givenLater(founded).when(buy(1))).toMatchObject([{ data: { grants: { limits: { users: 2 } } } }]);
  });

  it('from billing keeps the grants of a sale that was in force at its moment, or follows it, although the purchase has ended since', () => {
    const late = (effectiveAt: string) => buy(5, { effectiveAt, subscription: 'sub_1' });
    const sold = [founded, boughtAt(3, between, 'sub_1'), cancelled];
    for (const moment of [earlier, '2026-10-20T00:00:00.000Z'])
      expect(givenLater(...sold).when(late(moment), billing('evt_2'))).toEqual([boughtAt(5, moment, 'sub_1')]);
    expect(givenLater(...sold).when(late(ahead), billing('evt_2'))).toMatchObject([
      { data: { grants: { limits: { users: 2 } } } },
    ]);
  });

  it("uses the grants of today's catalogue if the purchase changes its add-on", () => {
    const fact = buy(1, { addOn: 'feedback', effectiveAt: now });
    expect(givenLater(founded, boughtAt(3, earlier)).when(fact, billing('evt_1'))).toMatchObject([
      { data: { addOn: 'feedback', grants: { limits: { users: 2 } } } },
    ]);
  });

  it.each([
    ['2026-11-01T00:05:00.000Z', undefined],
    ['2026-11-01T00:05:00.001Z', 'not-yet-effective'],
  ])('is refused only if `effectiveAt` is more than five minutes ahead: %s', (effectiveAt, refused) => {
    const answer = given(founded).when(buy(3, { effectiveAt }));
    if (refused) expect(answer).toMatchObject({ refused, facts: { effectiveAt } });
    else expect(answer).toEqual([boughtAt(3, effectiveAt)]);
  });

  it('may be executed by operators and billing and, after the organization is closed, only by billing', () => {
    expect(whoMay(buy(1), founded)).toEqual(sellerNames);
    expect(whenClosed(buy(1))).toBe('organization-closed');
    expect(given(founded, closed).when(buy(1), billing('evt_1'))).toEqual([bought(1, 'additionalUser')]);
  });
});
