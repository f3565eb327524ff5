import { givenFor } from '@charter/decider';
import { organizationDecider } from '../decide';
import { purchasesInForce } from '../entitlements';
import type { OrganizationEvent } from '../events';
import { billing, bought, catalogue, closed, founded, given, now } from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';
import type { CancelAddOn } from './cancel-add-on';

const earlier = '2026-10-01T00:00:00.000Z';
const ahead = '2026-11-01T00:04:00.000Z';
const purchase = 'p-additionalUser';
const cancel = (more: Partial<CancelAddOn> = {}) => ({ type: 'CancelAddOn', data: { purchase, ...more } }) as const;
const cancelled = (addOn?: string, effectiveAt = now, subscription?: string): OrganizationEvent => ({
  type: 'AddOnCancelled',
  data: { purchase, ...(addOn && { addOn }), effectiveAt, ...(subscription && { subscription }) },
});
const boughtAt = (effectiveAt: string, subscription?: string): OrganizationEvent => {
  const { data } = bought(3, 'additionalUser') as Extract<OrganizationEvent, { type: 'AddOnPurchased' }>;
  return { type: 'AddOnPurchased', data: { ...data, effectiveAt, ...(subscription && { subscription }) } };
};
const held = (...events: OrganizationEvent[]) => purchasesInForce(given(founded, ...events).state()).length;

describe('CancelAddOn', () => {
  it('ends the whole purchase once, however often the command is sent', () => {
    const before = [founded, bought(3, 'additionalUser')];
    expect(given(...before).when(cancel())).toEqual([cancelled('additionalUser')]);
    expect(given(...before, cancelled('additionalUser')).when(cancel())).toEqual([]);
    expect(held(bought(3, 'additionalUser'), cancelled('additionalUser'))).toBe(0);
  });

  it('leaves other purchases of the same add-on unchanged', () => {
    expect(held(bought(3, 'additionalUser'), bought(1, 'additionalUser', 'p-2'), cancelled('additionalUser'))).toBe(1);
  });

  it('that was sent manually is refused for an unknown purchase', () => {
    expect(given(founded).when(cancel())).toMatchObject({ refused: 'no-such-purchase' });
    expect(given(founded).when(cancel({ purchase: 'constructor' }))).toMatchObject({ refused: 'no-such-purchase' });
  });

  it('is recorded even if its purchase is not recorded yet, because messages may arrive in any order', () => {
    expect(given(founded).when(cancel({ effectiveAt: now }), billing('evt_1'))).toEqual([cancelled()]);
    expect(held(cancelled(), boughtAt(earlier))).toBe(0);
  });

  it('ends only the sales of one subscription if the command names the subscription', () => {
    const ofOne = [founded, boughtAt(earlier, 'sub_1')];
    expect(given(...ofOne).when(cancel({ subscription: 'sub_1' }))).toEqual([
      cancelled('additionalUser', now, 'sub_1'),
    ]);
    expect(given(...ofOne).when(cancel({ subscription: 'sub_2' }))).toEqual([]);
    expect(held(boughtAt(earlier, 'sub_1'), cancelled(undefined, now, 'sub_2'))).toBe(1);
  });

  it('that was sent manually never takes effect before a recorded sale or end of its purchase', () => {
    expect(given(founded, boughtAt(ahead)).when(cancel())).toEqual([cancelled('additionalUser', ahead)]);
    expect(held(boughtAt(ahead), cancelled('additionalUser', ahead))).toBe(0);
    const otherEnd = cancelled(undefined, ahead, 'sub_2');
    expect(given(founded, boughtAt(earlier, 'sub_1'), otherEnd).when(cancel())).toEqual([
      cancelled('additionalUser', ahead),
    ]);
    const edge = '2026-11-01T00:05:00.000Z';
    const behind = { at: '2026-10-31T23:59:59.999Z' }; // the moment of a process whose clock is behind
    expect(given(founded, boughtAt(edge)).when(cancel(), behind)).toEqual([cancelled('additionalUser', edge)]);
  });

  it('records an event without an add-on if the command ends no sale', () => {
    const late = cancel({ effectiveAt: earlier });
    expect(given(founded, bought(3, 'additionalUser')).when(late)).toEqual([cancelled(undefined, earlier)]);
    expect(held(bought(3, 'additionalUser'), cancelled(undefined, earlier))).toBe(1);
  });

  it('records each billing message once', () => {
    const givenBilling = givenFor(organizationDecider(catalogue), { ...billing('evt_2'), at: now });
    const command = cancel({ effectiveAt: now });
    expect(givenBilling(founded, bought(3, 'additionalUser'), cancelled('additionalUser')).when(command)).toEqual([]);
    expect(givenBilling(founded, boughtAt(earlier)).when(command)).toEqual([cancelled('additionalUser')]);
  });

  it.each([
    ['2026-11-01T00:05:00.000Z', undefined],
    ['2026-11-01T00:05:00.001Z', 'not-yet-effective'],
  ])('is refused only if `effectiveAt` is more than five minutes ahead: %s', (effectiveAt, refused) => {
    const answer = given(founded, bought(3, 'additionalUser')).when(cancel({ effectiveAt }));
    if (refused) expect(answer).toMatchObject({ refused, facts: { effectiveAt } });
    else expect(answer).toEqual([cancelled('additionalUser', effectiveAt)]);
  });

  it('may be executed by operators and billing and, after the organization is closed, only by billing', () => {
    const before = [founded, bought(3, 'additionalUser')];
    expect(whoMay(cancel(), ...before)).toEqual(sellerNames);
    expect(whenClosed(cancel(), {}, bought(3, 'additionalUser'))).toBe('organization-closed');
    expect(given(...before, closed).when(cancel(), billing('evt_1'))).toEqual([cancelled('additionalUser')]);
  });
});
