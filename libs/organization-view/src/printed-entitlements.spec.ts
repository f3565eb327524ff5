import { Feature, type OrganizationEvent, Resource } from '@charter/organization';
import { byHand, overriddenUntil, sold } from '../../organization/src/testing/entitled.testing';
import {
  ada,
  added,
  bob,
  bought,
  cyd,
  now,
  on,
  overridden,
  siteAdded,
  shop,
} from '../../organization/src/testing/organization.testing';
import { foldedAcme } from './folded.testing';
import { entitlement, type EntitlementKey, entitlements } from './printed-entitlements';

type Printed = {
  limits: Record<string, object>;
  features: Record<string, object>;
  traffic: object;
};
const printed = (...events: OrganizationEvent[]) => entitlements('acme')(foldedAcme(...events), now) as Printed;
const one = (key: EntitlementKey, ...events: OrganizationEvent[]) =>
  entitlement('acme', key)(foldedAcme(...events), now);
const reported = (month: string, views: number): OrganizationEvent => ({
  type: 'TrafficReported',
  data: { month, views },
});

describe('Printed entitlements', () => {
  it("contain the organization's id and revision", () => {
    expect(printed(on('second/solo'))).toMatchObject({ organization: 'acme', revision: 1, at: now });
  });

  it('contain every limit and every feature', () => {
    const { limits, features } = printed();
    expect([Object.keys(limits), Object.keys(features)]).toEqual([Resource.options, Feature.options]);
  });

  it.each(['users', 'webAnalyticsDomains', 'feedback'] as const)(
    'contain %s in the same form as the answer to a request for only this entitlement',
    (key) => {
      const events = [on('second/teams'), bought(1, 'webAnalytics'), added(ada)];
      const { limits, features } = printed(...events);
      const alone = { organization: 'acme', revision: 3, at: now, key, ...(limits[key] ?? features[key]) };
      expect(one(key, ...events)).toEqual(alone);
    },
  );
});

describe('Printed limit', () => {
  it('is null and unlimited if no plan limits the resource, or if the configured amount is 0 or absent', () => {
    const unlimited = { limit: null, unlimited: true, configured: null, hard: null, remaining: null, over: 0 };
    expect(one('users')).toMatchObject(unlimited);
    expect(one('users', sold('second', 'solo', { limits: { users: 0 } }))).toMatchObject(unlimited);
    expect(one('users', sold('second', 'solo', { limits: {} }), byHand({ users: 0 }))).toMatchObject(unlimited);
  });

  it('is 0 and not unlimited if only add-ons sell the resource and none was bought', () => {
    expect(one('qualityAssuranceDomains', on('second/solo'))).toMatchObject({ limit: 0, unlimited: false });
  });

  it('equals the hard limit if the configured limit is higher, unless an override suspends the hard limit', () => {
    const bigger = [on('second/solo'), bought(3, 'additionalUser')];
    expect(one('users', ...bigger)).toMatchObject({ limit: 2, configured: 4, hard: 2, overridden: false });
    expect(one('users', ...bigger, overridden)).toMatchObject({ limit: 4, hard: 2, overridden: true });
    expect(one('users', ...bigger, overriddenUntil(now))).toMatchObject({ limit: 2, overridden: false });
  });

  it('contains the remaining units, which are at least 0, and the units over the limit', () => {
    const teams = [on('second/teams'), added(ada), added(bob)];
    expect(one('users', ...teams)).toMatchObject({ used: 2, remaining: 3, over: 0 });
    expect(one('users', ...teams, on('second/solo'), added(cyd))).toMatchObject({ used: 3, remaining: 0, over: 2 });
  });

  it('contains a gate if the resource needs a feature; while the feature is off, no unit remains', () => {
    const gate = { feature: 'webAnalytics', on: false };
    expect(one('webAnalyticsDomains', on('second/solo'))).toMatchObject({ limit: 1000, remaining: 0, gate });
    const open = one('webAnalyticsDomains', on('second/solo'), bought(1, 'webAnalytics'));
    expect(open).toMatchObject({ remaining: 1000, gate: { ...gate, on: true } });
    expect(one('users', on('second/solo'))).not.toHaveProperty('gate');
  });

  it('names each event that determines it, and prints null instead of infinity', () => {
    const { because } = one('users', on('second/solo'), bought(2, 'additionalUser')) as { because: readonly object[] };
    expect(because).toEqual([
      { kind: 'plan', what: 'second/solo', amount: 1, event: 1, at: now },
      { kind: 'add-on', what: 'additionalUser', amount: 2, quantity: 2, event: 2, at: now },
      { kind: 'hard-limit', what: 'second/solo', amount: 2, event: 1, at: now },
    ]);
    expect(one('users', sold('first', 'essential', {}))).toMatchObject({
      because: [{ kind: 'plan', what: 'first/essential', amount: null, event: 1 }],
    });
  });
});

describe('Printed traffic', () => {
  const traffic = (...events: OrganizationEvent[]) => printed(...events).traffic;

  it('is the traffic of the newest month, whatever the order of the reports', () => {
    const months = [reported('2026-11', 7), reported('2026-09', 5)];
    expect(traffic(...months)).toMatchObject({ month: '2026-11', views: 7, allowance: null, mark: null });
    expect(traffic()).toEqual({ month: null, views: 0, allowance: null, mark: null, because: [] });
  });

  it.each([
    [79_999, null],
    [80_000, 80],
    [99_999, 80],
    [100_000, 100],
    [250_000, 100],
  ])('with %d of 100,000 views has the `mark` %j', (views, mark) => {
    expect(traffic(on('second/solo'), reported('2026-11', views))).toMatchObject({ allowance: 100_000, mark });
  });

  it("does not depend on the number of the organization's sites", () => {
    expect(traffic(on('second/solo'), siteAdded(shop, 'shop.test'))).toEqual(traffic(on('second/solo')));
  });
});
