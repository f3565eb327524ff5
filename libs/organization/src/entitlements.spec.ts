import {
  later,
  stateOf,
  limit,
  featuresOn,
  sold,
  granted,
  byHand,
  cancelled,
  overriddenUntil,
  served,
  term,
} from './testing/entitled.testing';
import { countingPlans, entitlementsOf, heldPlans, limitOf, purchasesInForce, trafficAllowance } from './entitlements';
import type { OrganizationEvent } from './events';
import {
  ada,
  added,
  bob,
  bought,
  cyd,
  ended,
  now,
  on,
  overridden,
  shop,
  siteAdded,
} from './testing/organization.testing';

describe('Rule 4: 0 and absent mean unlimited', () => {
  it.each([
    ['absent means unlimited', {}, Infinity],
    ['0 means unlimited', { users: 0 }, Infinity],
    ['1 means 1', { users: 1 }, 1],
  ])('a limit in the terms: %s', (_name, limits, configured) => {
    expect(limit('users', sold('second', 'custom', { limits }))).toMatchObject({
      configured,
      effective: configured,
      because: [term('plan', 'second/custom', configured, 1)],
    });
  });

  it.each([
    ['absent means unlimited', {}, Infinity],
    ['0 means unlimited', { users: 0 }, Infinity],
    ['2 means 2', { users: 2 }, 2],
  ])('a hard limit: %s', (_name, hardLimits, hard) => {
    expect(limit('users', sold('second', 'custom', { hardLimits }))).toMatchObject({ hard, effective: hard });
  });
});

describe("Rule 5: the configured limit is the plan's limit plus every add-on", () => {
  it('includes one more user for each bought unit of each purchase', () => {
    const { configured, because } = limit(
      'users',
      on('second/teams'),
      bought(3, 'additionalUser'),
      bought(2, 'additionalUser', 'p-2'),
    );
    expect(configured).toBe(10);
    expect(because).toEqual([
      term('plan', 'second/teams', 5, 1),
      { ...term('add-on', 'additionalUser', 3, 2), quantity: 3 },
      { ...term('add-on', 'additionalUser', 2, 3), quantity: 2 },
      term('hard-limit', 'second/teams', 10, 1),
    ]);
  });

  it('includes the grants of one unit times the quantity', () => {
    const { configured, because } = limit('users', on('second/solo'), granted({ limits: { users: 4 } }, 3));
    expect(configured).toBe(13);
    expect(because[1]).toEqual({ ...term('add-on', 'special', 12, 2), quantity: 3 });
  });

  it('ignores an add-on for another resource', () => {
    const { configured, because } = limit('contentSections', on('second/teams'), bought(3, 'additionalUser'));
    expect(configured).toBe(2);
    expect(because).toEqual([term('plan', 'second/teams', 2, 1)]);
  });

  it("is unlimited if the plan's limit is unlimited, because an add-on never lowers a limit", () => {
    const one = limit('users', on('first/essential'), bought(1, 'additionalUser'));
    expect(one).toMatchObject({ configured: Infinity, effective: Infinity });
    expect(one.because).toEqual([
      term('plan', 'first/essential', Infinity, 1),
      { ...term('add-on', 'additionalUser', 1, 2), quantity: 1 },
    ]);
  });

  it.each([0, 1, 2, 7])('never decreases when add-ons are bought: %i more', (more) => {
    for (const plan of ['first/essential', 'second/solo', 'second/teams'] as const)
      for (const resource of ['users', 'contentSections', 'qualityAssuranceDomains'] as const) {
        const without = limit(resource, on(plan));
        const units = { [resource]: more };
        const within = limit(resource, on(plan), granted({ limits: units }));
        expect(within.configured).toBeGreaterThanOrEqual(without.configured);
        expect(within.effective).toBeGreaterThanOrEqual(without.effective);
      }
  });

  it('decreases when a purchase is cancelled', () => {
    const events = [on('second/teams'), bought(3, 'additionalUser'), cancelled('p-additionalUser')];
    expect(limit('users', ...events)).toMatchObject({ configured: 5 });
    expect(limit('users', ...events).because).not.toContainEqual(expect.objectContaining({ kind: 'add-on' }));
  });
});

describe('Rule 6: the effective limit is the lower of the configured and the hard limit', () => {
  it('is two users with the plan solo, although the organization has bought three more users', () => {
    expect(limit('users', on('second/solo'), bought(3, 'additionalUser'))).toMatchObject({
      configured: 4,
      hard: 2,
      effective: 2,
      overridden: false,
    });
  });

  it('is the configured limit if the hard limit is higher', () => {
    expect(limit('users', on('second/teams'))).toMatchObject({ configured: 5, hard: 10, effective: 5 });
  });

  it('is the configured limit during an override, and the override is one of the reasons', () => {
    const lifted = limit('users', on('second/solo'), bought(3, 'additionalUser'), overridden);
    expect(lifted).toMatchObject({ configured: 4, hard: 2, effective: 4, overridden: true });
    expect(lifted.because.at(-1)).toEqual({ kind: 'override', what: 'a favour', event: 3, at: now });
  });

  it('is the hard limit if nothing else limits the resource', () => {
    expect(limit('users', sold('second', 'custom', { hardLimits: { users: 3 } }))).toMatchObject({
      configured: Infinity,
      hard: 3,
      effective: 3,
    });
  });
});

describe('Rule 7: web-analytics domains', () => {
  it.each<[string, OrganizationEvent[]]>([
    ['without a plan', []],
    ['on solo', [on('second/solo')]],
    ['with add-ons', [on('second/solo'), bought(5, 'webAnalytics')]],
    ['with a plan that sets 3', [sold('second', 'custom', { limits: { webAnalyticsDomains: 3 } })]],
    ['with a hard limit', [sold('second', 'custom', { hardLimits: { webAnalyticsDomains: 3 } })]],
    ['with a manual limit', [byHand({ webAnalyticsDomains: 3 })]],
    ['sold by add-on only', [sold('second', 'custom', { soldOnlyByAddOn: ['webAnalyticsDomains'] })]],
  ])('are always 1,000: %s', (_name, events) => {
    expect(limit('webAnalyticsDomains', ...events)).toMatchObject({
      configured: 1000,
      hard: Infinity,
      effective: 1000,
      because: [term('always', 'fixed', 1000, 0)],
    });
  });

  it('need the feature `webAnalytics`, as quality-assurance domains need their own feature', () => {
    const { limits } = entitlementsOf(stateOf(on('second/solo'), bought(1, 'webAnalytics')), now);
    expect(limits.webAnalyticsDomains.gate).toEqual({ feature: 'webAnalytics', on: true });
    expect(limits.qualityAssuranceDomains.gate).toEqual({ feature: 'qualityAssurance', on: false });
    expect(limits.users).not.toHaveProperty('gate');
    expect(limits.contentSections).not.toHaveProperty('gate');
  });
});

describe('Rule 9: of the plans of two product lines, the more generous plan decides', () => {
  const narrow = sold('first', 'narrow', { limits: { users: 2 }, hardLimits: { users: 3 }, trafficPerMonth: 10 });
  const wide = sold('second', 'wide', { limits: { users: 5 }, hardLimits: { users: 9 }, trafficPerMonth: 20 });

  it.each([
    ['the narrow plan was assigned first', [narrow, wide]],
    ['the wide plan was assigned first', [wide, narrow]],
  ])('about configured limits, hard limits and traffic: %s', (_name, events) => {
    expect(limit('users', ...events)).toMatchObject({ configured: 5, hard: 9, effective: 5 });
    expect(trafficAllowance(stateOf(...events))).toBe(20);
  });

  it('about each resource separately', () => {
    const other = sold('first', 'other', { limits: { users: 9, contentSections: 1 }, hardLimits: { users: 2 } });
    const state = stateOf(other, sold('second', 'wide', { limits: { users: 5, contentSections: 4 }, hardLimits: {} }));
    expect(limitOf('users', state, now)).toMatchObject({ configured: 9, hard: Infinity, effective: 9 });
    expect(limitOf('contentSections', state, now)).toMatchObject({ configured: 4 });
  });

  it('also if this plan does not limit the resource', () => {
    expect(limit('users', on('first/essential'), on('second/solo'))).toMatchObject({
      configured: Infinity,
      hard: Infinity,
      effective: Infinity,
    });
    const unmeasured = sold('first', 'unmeasured', { trafficPerMonth: 0 });
    expect(trafficAllowance(stateOf(unmeasured, wide))).toBe(Infinity);
  });

  it("and the first product line's plan is the reason if both plans are equal", () => {
    const same = sold('first', 'same', { limits: { users: 5 } });
    expect(limit('users', wide, same).because).toEqual([term('plan', 'first/same', 5, 2)]);
  });

  it('a second plan does not lower the users limit, with or without parallel use', () => {
    for (const parallelUse of [true, false, null]) {
      const use: OrganizationEvent = { type: 'ParallelUseChanged', data: { parallelUse } };
      const both = limit('users', use, narrow, wide);
      expect(both.effective).toBeGreaterThanOrEqual(limit('users', use, narrow).effective);
      expect(both.effective).toBe(5);
    }
  });
});

describe('Rule 10: over the limit', () => {
  it('the use is the present number of entries, even above the limit', () => {
    const team = [on('second/teams'), added(ada), added(bob), added(cyd)];
    expect(limit('users', ...team)).toMatchObject({ used: 3, effective: 5 });
    expect(limit('users', ...team, on('second/solo'))).toMatchObject({ used: 3, effective: 1 });
  });

  it('the use of each resource is the number of entries in its list', () => {
    const events: OrganizationEvent[] = [
      added(ada),
      added(bob),
      siteAdded(shop, 'shop.test'),
      { type: 'QualityAssuranceDomainAdded', data: { domain: shop, hostname: 'qa.test' } },
      { type: 'WebAnalyticsDomainAdded', data: { domain: shop, hostname: 'wa.test' } },
      { type: 'WebAnalyticsDomainAdded', data: { domain: ada, hostname: 'wb.test' } },
      { type: 'WebAnalyticsDomainAdded', data: { domain: bob, hostname: 'wc.test' } },
    ];
    const { limits } = entitlementsOf(stateOf(...events), now);
    expect(Object.entries(limits).map(([resource, { used }]) => [resource, used])).toEqual([
      ['users', 2],
      ['contentSections', 1],
      ['qualityAssuranceDomains', 1],
      ['webAnalyticsDomains', 3],
    ]);
  });
});

describe('Rule 11: the traffic allowance', () => {
  it('is unlimited before the first plan, and comes from the present plan or the plan that ended last', () => {
    expect(trafficAllowance(stateOf())).toBe(Infinity);
    expect(trafficAllowance(stateOf(on('second/solo')))).toBe(100_000);
    expect(trafficAllowance(stateOf(on('second/solo'), ended('second')))).toBe(100_000);
  });
});

describe('Rule 17: manual limits and the end of an override', () => {
  it("a manual limit replaces the plan's limit, and add-ons are added to it", () => {
    const { configured, because } = limit(
      'users',
      on('second/teams'),
      bought(2, 'additionalUser'),
      byHand({ users: 7 }),
    );
    expect(configured).toBe(9);
    expect(because.slice(0, 2)).toEqual([
      term('by-hand', 'set by hand', 7, 3),
      { ...term('add-on', 'additionalUser', 2, 2), quantity: 2 },
    ]);
  });

  it('a hard limit caps a manual limit', () => {
    expect(limit('users', on('second/solo'), byHand({ users: 7 }))).toMatchObject({ configured: 7, effective: 2 });
  });

  it("a manual 0 means unlimited, and null restores the plan's limit", () => {
    expect(limit('users', on('first/essential'), byHand({ users: 0 })).configured).toBe(Infinity);
    expect(limit('qualityAssuranceDomains', on('second/solo'), byHand({ qualityAssuranceDomains: 0 }))).toMatchObject({
      configured: Infinity,
      because: [term('by-hand', 'set by hand', Infinity, 2)],
    });
    expect(limit('users', on('second/teams'), byHand({ users: 7 }), byHand({ users: null })).configured).toBe(5);
  });

  it('a manual limit is in force without a plan', () => {
    expect(limit('users', byHand({ users: 7 }))).toMatchObject({ configured: 7, effective: 7 });
  });

  it('an override is in force before its end, and no longer at its end', () => {
    const state = stateOf(on('second/solo'), bought(3, 'additionalUser'), overriddenUntil(later));
    const before = '2026-11-30T23:59:59.999Z';
    expect(limitOf('users', state, before)).toMatchObject({ effective: 4, overridden: true });
    expect(limitOf('users', state, later)).toMatchObject({ effective: 2, overridden: false });
    expect(limitOf('users', state, later).because).not.toContainEqual(expect.objectContaining({ kind: 'override' }));
    expect([entitlementsOf(state, before).override, entitlementsOf(state, later).override]).toEqual([true, false]);
  });

  it('an override without an end is in force until an operator restores the limits', () => {
    const restored: OrganizationEvent = { type: 'HardLimitsRestored', data: { reason: 'by hand' } };
    expect(entitlementsOf(stateOf(overridden), '9999-12-31T23:59:59.999Z').override).toBe(true);
    expect(entitlementsOf(stateOf(overridden, restored), now).override).toBe(false);
  });
});

describe('Rule 18: without a plan', () => {
  it('before the first plan, users, content sections and quality-assurance domains are unlimited, and features are off', () => {
    const { limits } = entitlementsOf(stateOf(), now);
    for (const resource of ['users', 'contentSections', 'qualityAssuranceDomains'] as const)
      expect(limits[resource]).toMatchObject({
        configured: Infinity,
        hard: Infinity,
        effective: Infinity,
        because: [term('none', 'no plan', Infinity, 0)],
      });
    expect(featuresOn()).toEqual([]);
  });

  it('while the organization holds a plan, ended plans do not count', () => {
    const events = [on('second/teams'), on('first/professional'), ended('second')];
    expect(limit('contentSections', ...events).because).toEqual([term('plan', 'first/professional', 2, 2)]);
    expect(countingPlans(stateOf(...events)).map(({ plan }) => plan)).toEqual(['professional']);
  });

  it('after the last plan has ended, features are off, but limits and hard limits stay in force', () => {
    const before = [on('second/solo'), bought(3, 'additionalUser')];
    const after = [...before, ended('second')];
    expect(limit('users', ...after)).toEqual(limit('users', ...before));
    expect(featuresOn(...after)).toEqual([]);
    expect(heldPlans(stateOf(...after))).toEqual([]);
  });

  it('after the plans of both lines have ended, the plan that ended last counts', () => {
    const both = [on('first/essential'), on('second/solo')];
    const firstLast = [...both, ended('second', now), ended('first', later)];
    const secondLast = [...both, ended('second', later), ended('first', now)];
    expect(countingPlans(stateOf(...firstLast)).map(({ plan }) => plan)).toEqual(['essential']);
    expect(countingPlans(stateOf(...secondLast)).map(({ plan }) => plan)).toEqual(['solo']);
  });

  it('if both plans end at the same moment, the plan whose end was recorded last counts, so that no limit rises', () => {
    const both = [on('first/essential'), on('second/solo')];
    const onlySolo = limit('users', ...both, ended('first'));
    expect(onlySolo.effective).toBe(1);
    expect(limit('users', ...both, ended('first'), ended('second')).effective).toBe(1);
    expect(limit('contentSections', ...both, ended('second'), ended('first')).because).toEqual([
      term('plan', 'first/essential', 1, 1),
    ]);
  });

  it('purchases and the service level are in force without a plan', () => {
    const events = [bought(1, 'qualityAssurance'), served('turnkey')];
    expect(featuresOn(...events)).toEqual(['multiUser', 'qualityAssurance', 'chatSupport']);
  });

  it('a new plan replaces the ended plan', () => {
    const events = [on('second/solo'), ended('second'), on('second/teams', later)];
    expect(limit('users', ...events).because[0]).toEqual(term('plan', 'second/teams', 5, 3));
  });
});

describe('Rule 20: the hard limit', () => {
  it('is a separate reason if the plan contains a hard limit', () => {
    expect(limit('users', on('second/solo')).because).toEqual([
      term('plan', 'second/solo', 1, 1),
      term('hard-limit', 'second/solo', 2, 1),
    ]);
    expect(limit('users', on('first/essential')).because).toHaveLength(1);
    expect(limit('users', on('first/essential')).hard).toBe(Infinity);
  });
});

describe('Rule 21: resources sold by add-on only', () => {
  it('start at zero: without an add-on, no domain is allowed', () => {
    expect(limit('qualityAssuranceDomains', on('second/solo'))).toMatchObject({
      configured: 0,
      effective: 0,
      because: [term('plan', 'second/solo', 0, 1)],
    });
    expect(limit('qualityAssuranceDomains', on('first/essential')).configured).toBe(0);
  });

  it('have one unit for each bought unit of the add-on', () => {
    expect(limit('qualityAssuranceDomains', on('second/solo'), bought(2, 'qualityAssurance')).effective).toBe(2);
  });

  it("start at the plan's amount if the plan contains an amount", () => {
    const three = sold('second', 'three', { limits: { qualityAssuranceDomains: 3 } });
    expect(limit('qualityAssuranceDomains', three, bought(2, 'qualityAssurance')).configured).toBe(5);
  });

  it('are unlimited if a held plan neither limits them nor lists them in `soldOnlyByAddOn`', () => {
    const enterprise = sold('first', 'enterprise', { soldOnlyByAddOn: [] });
    expect(limit('qualityAssuranceDomains', enterprise).configured).toBe(Infinity);
    expect(limit('qualityAssuranceDomains', enterprise, on('second/solo')).configured).toBe(Infinity);
  });
});

describe('Rule 25: quantities are absolute', () => {
  it('only the newest quantity of a purchase counts', () => {
    const state = stateOf(on('second/teams'), bought(3, 'additionalUser'), bought(1, 'additionalUser'));
    expect(limitOf('users', state, now).configured).toBe(6);
    expect(purchasesInForce(state)).toMatchObject([{ purchase: 'p-additionalUser', quantity: 1, event: 3, at: now }]);
  });
});
