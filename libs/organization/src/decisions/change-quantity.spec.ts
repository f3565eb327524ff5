import { purchasesInForce } from '../entitlements';
import type { OrganizationEvent } from '../events';
import { billing, bought, closed, founded, given, now } from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';

const ahead = '2026-11-01T00:04:00.000Z';
const purchase = 'p-additionalUser';
const change = (quantity: number) => ({ type: 'ChangeQuantity', data: { purchase, quantity } }) as const;
const cancelled = { type: 'AddOnCancelled', data: { purchase, addOn: 'additionalUser', effectiveAt: now } } as const;
const boughtOnOldTerms = (quantity: number, effectiveAt = now, subscription?: string): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: {
    purchase,
    addOn: 'additionalUser',
    quantity,
    grants: { limits: { users: 7 }, features: [] },
    effectiveAt,
    ...(subscription && { subscription }),
  },
});

describe('ChangeQuantity', () => {
  it.each([1, 2, 9])('records the new total quantity once: %i', (quantity) => {
    const before = [founded, bought(3, 'additionalUser')];
    expect(given(...before).when(change(quantity))).toEqual([bought(quantity, 'additionalUser')]);
    expect(given(...before, bought(quantity, 'additionalUser')).when(change(quantity))).toEqual([]);
  });

  it('records nothing if the quantity equals the present quantity', () => {
    expect(given(founded, bought(3, 'additionalUser')).when(change(3))).toEqual([]);
  });

  it('changes neither the grants nor the subscription of the purchase', () => {
    expect(given(founded, boughtOnOldTerms(3, now, 'sub_1')).when(change(1))).toEqual([
      boughtOnOldTerms(1, now, 'sub_1'),
    ]);
  });

  it('never takes effect before a recorded sale of its purchase', () => {
    const { when } = given(founded, boughtOnOldTerms(3, ahead, 'sub_1'));
    expect(when(change(1))).toEqual([boughtOnOldTerms(1, ahead, 'sub_1')]);
    const state = given(founded, boughtOnOldTerms(3, ahead, 'sub_1'), boughtOnOldTerms(1, ahead, 'sub_1')).state();
    expect(purchasesInForce(state)).toMatchObject([{ quantity: 1 }]);
  });

  it('takes effect even if a later end of another subscription is recorded', () => {
    const end = { ...cancelled, data: { purchase, effectiveAt: ahead, subscription: 'sub_2' } };
    expect(given(founded, boughtOnOldTerms(3, now, 'sub_1'), end).when(change(1))).toEqual([
      boughtOnOldTerms(1, '2026-11-01T00:04:00.001Z', 'sub_1'),
    ]);
  });

  it('is refused for an unknown purchase and for a cancelled one', () => {
    expect(given(founded).when(change(3))).toMatchObject({ refused: 'no-such-purchase' });
    expect(given(founded, bought(3, 'additionalUser'), cancelled).when(change(1))).toMatchObject({
      refused: 'purchase-cancelled',
      facts: { purchase },
    });
    expect(given(founded, cancelled).when(change(1))).toMatchObject({ refused: 'purchase-cancelled' });
  });

  it('may be executed by operators and billing and, after the organization is closed, only by billing', () => {
    const before = [founded, bought(3, 'additionalUser')];
    expect(whoMay(change(1), ...before)).toEqual(sellerNames);
    expect(whenClosed(change(1), {}, bought(3, 'additionalUser'))).toBe('organization-closed');
    expect(given(...before, closed).when(change(1), billing('evt_1'))).toEqual([bought(1, 'additionalUser')]);
  });
});
