import { givenFor } from '@charter/decider';
import { organizationDecider } from '../decide';
import { heldPlans } from '../entitlements';
import type { OrganizationEvent } from '../events';
import { ada, added, billing, catalogue, closed, founded, given, now, on } from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';
import type { EndPlan } from './end-plan';

const earlier = '2026-10-01T00:00:00.000Z';
const ahead = '2026-11-01T00:04:00.000Z';
const end = (more: Partial<EndPlan> = {}) => ({ type: 'EndPlan', data: { line: 'second', ...more } }) as const;
const ended = (plan?: string, effectiveAt = now, subscription?: string): OrganizationEvent => ({
  type: 'PlanEnded',
  data: { line: 'second', ...(plan && { plan }), effectiveAt, ...(subscription && { subscription }) },
});
const plansOf = (...events: OrganizationEvent[]) =>
  heldPlans(given(founded, ...events).state()).map(({ line, plan }) => `${line}/${plan}`);

describe('EndPlan', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(founded, on('second/solo')).when(end())).toEqual([ended('solo')]);
    expect(given(founded, on('second/solo'), ended('solo')).when(end())).toEqual([]);
    expect(plansOf(on('second/solo'), ended('solo'))).toEqual([]);
  });

  it('leaves the other product line unchanged', () => {
    const { when } = given(founded, on('first/essential'));
    expect(when(end())).toEqual([]);
    expect(plansOf(on('first/essential'), on('second/solo'), ended('solo'))).toEqual(['first/essential']);
  });

  it('is recorded even if the organization has members', () => {
    expect(given(founded, on('second/solo'), added(ada)).when(end())).toEqual([ended('solo')]);
  });

  it('that was sent manually ends all sales of the product line', () => {
    const two = [on('second/solo', earlier, 'sub_1'), on('second/teams', now, 'sub_2')];
    expect(given(founded, ...two).when(end())).toEqual([ended('teams')]);
    expect(plansOf(...two, ended('teams'))).toEqual([]);
  });

  it('ends only the sale of one subscription if the command names the subscription', () => {
    const two = [on('second/solo', earlier, 'sub_1'), on('second/teams', now, 'sub_2')];
    const byTwo = end({ subscription: 'sub_2' });
    expect(given(founded, ...two).when(byTwo)).toEqual([ended('teams', now, 'sub_2')]);
    expect(plansOf(...two, ended('teams', now, 'sub_2'))).toEqual(['second/solo']);
    expect(given(founded, ...two, ended('teams', now, 'sub_2')).when(byTwo)).toEqual([]);
    expect(given(founded, ...two).when(end({ subscription: 'sub_3' }))).toEqual([]);
  });

  it('records nothing for a subscription whose plan an operator has replaced', () => {
    const replaced = [on('second/solo', earlier, 'sub_1'), ended('solo', earlier), on('second/teams')];
    expect(given(founded, ...replaced).when(end({ subscription: 'sub_1' }))).toEqual([]);
  });

  it('that was sent manually always has an effect, because it never takes effect before a recorded sale or end of its product line', () => {
    expect(given(founded, on('second/solo', ahead)).when(end())).toEqual([ended('solo', ahead)]);
    expect(plansOf(on('second/solo', ahead), ended('solo', ahead))).toEqual([]);
    const otherEnd = ended(undefined, ahead, 'sub_2');
    expect(given(founded, on('second/solo', earlier, 'sub_1'), otherEnd).when(end())).toEqual([ended('solo', ahead)]);
    const edge = '2026-11-01T00:05:00.000Z';
    const later = { at: '2026-10-31T23:59:59.999Z' }; // the moment of a process whose clock is behind
    expect(given(founded, on('second/solo', edge)).when(end(), later)).toEqual([ended('solo', edge)]);
  });

  it('is recorded even if its plan is not recorded yet, because messages may arrive in any order', () => {
    const command = end({ effectiveAt: now, subscription: 'sub_1' });
    expect(given(founded).when(command)).toEqual([ended(undefined, now, 'sub_1')]);
    expect(plansOf(ended(undefined, now, 'sub_1'), on('second/solo', earlier, 'sub_1'))).toEqual([]);
  });

  it('records an event without a plan if the command ends no sale', () => {
    const late = end({ effectiveAt: earlier });
    expect(given(founded, on('second/solo')).when(late)).toEqual([ended(undefined, earlier)]);
    expect(plansOf(on('second/solo'), ended(undefined, earlier))).toEqual(['second/solo']);
  });

  it.each([
    ['2026-11-01T00:05:00.000Z', undefined],
    ['2026-11-01T00:05:00.001Z', 'not-yet-effective'],
  ])('is refused only if `effectiveAt` is more than five minutes ahead: %s', (effectiveAt, refused) => {
    const answer = given(founded, on('second/solo')).when(end({ effectiveAt }));
    if (refused) expect(answer).toMatchObject({ refused, facts: { effectiveAt } });
    else expect(answer).toEqual([ended('solo', effectiveAt)]);
  });

  it('records each billing message once', () => {
    const givenBilling = givenFor(organizationDecider(catalogue), { ...billing('evt_2'), at: now });
    const command = end({ effectiveAt: now, subscription: 'sub_1' });
    const life = [founded, on('second/solo', earlier, 'sub_1')];
    expect(givenBilling(...life).when(command)).toEqual([ended('solo', now, 'sub_1')]);
    expect(givenBilling(...life, ended('solo', now, 'sub_1')).when(command)).toEqual([]);
    expect(
      givenBilling(...life, ended('solo', now, 'sub_1')).when(end({ effectiveAt: now, subscription: 'sub_2' })),
    ).toEqual([ended(undefined, now, 'sub_2')]);
  });

  it('may be executed by operators and billing and, after the organization is closed, only by billing', () => {
    expect(whoMay(end(), founded)).toEqual(sellerNames);
    expect(whenClosed(end(), {}, on('second/solo'))).toBe('organization-closed');
    const fact = end({ effectiveAt: now });
    expect(given(founded, on('second/solo'), closed).when(fact, billing('evt_2'))).toEqual([ended('solo')]);
  });
});
