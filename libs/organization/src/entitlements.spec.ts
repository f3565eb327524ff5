import {
  countingPlans,
  entitlementsOf,
  featureOf,
  heldPlans,
  limitOf,
  productEnabled,
  purchasesInForce,
  siteDefaultsOf,
  siteFeaturesOf,
  trafficAllowance,
} from './entitlements';
import type { OrganizationEvent, SiteFeatures } from './events';
import { Feature, type Grants, type Line, type Resource, type Terms } from './terms';
import {
  ada,
  added,
  bob,
  bought,
  closed,
  cyd,
  ended,
  founded,
  given,
  now,
  on,
  overridden,
  shop,
  siteAdded,
  termsOf,
} from './testing';

const later = '2026-12-01T00:00:00.000Z';
const stateOf = (...events: OrganizationEvent[]) => given(founded, ...events).state();
const limit = (resource: Resource, ...events: OrganizationEvent[]) => limitOf(resource, stateOf(...events), now);
const feature = (name: Feature, ...events: OrganizationEvent[]) => featureOf(name, stateOf(...events));
const featuresOn = (...events: OrganizationEvent[]) =>
  Feature.options.filter((name) => featureOf(name, stateOf(...events)).on);

const sold = (line: Line, plan: string, terms: Partial<Terms>, effectiveAt = now): OrganizationEvent => ({
  type: 'PlanAssigned',
  data: { line, plan, terms: { ...termsOf({}), ...terms }, effectiveAt },
});
const granted = (grants: Partial<Grants>, quantity = 1): OrganizationEvent => ({
  type: 'AddOnPurchased',
  data: {
    purchase: 'p-special',
    addOn: 'special',
    quantity,
    grants: { limits: {}, features: [], ...grants },
    effectiveAt: now,
  },
});
const byHand = (limits: { [resource in Resource]?: number | null }): OrganizationEvent => ({
  type: 'LimitsConfigured',
  data: { limits },
});
const cancelled = (purchase: string): OrganizationEvent => ({
  type: 'AddOnCancelled',
  data: { purchase, effectiveAt: now },
});
const overriddenUntil = (until: string): OrganizationEvent => ({
  type: 'HardLimitsOverridden',
  data: { reason: 'a favour', until },
});
const disabled: OrganizationEvent = { type: 'ProductDisabled', data: {} };
const enabled: OrganizationEvent = { type: 'ProductEnabled', data: {} };
const served = (serviceLevel: 'none' | 'assisted' | 'turnkey'): OrganizationEvent => ({
  type: 'ServiceLevelAssigned',
  data: { serviceLevel },
});
const term = (kind: string, what: string, amount: number, event: number) => ({ kind, what, amount, event, at: now });

describe('rule 4: 0 or absent is unlimited', () => {
  it.each([
    ['absent', {}, Infinity],
    ['0', { users: 0 }, Infinity],
    ['1', { users: 1 }, 1],
  ])('%s in the terms', (_name, limits, configured) => {
    expect(limit('users', sold('second', 'custom', { limits }))).toMatchObject({
      configured,
      effective: configured,
      because: [term('plan', 'second/custom', configured, 1)],
    });
  });

  it.each([
    ['absent', {}, Infinity],
    ['0', { users: 0 }, Infinity],
    ['2', { users: 2 }, 2],
  ])('%s in the hard limits', (_name, hardLimits, hard) => {
    expect(limit('users', sold('second', 'custom', { hardLimits }))).toMatchObject({ hard, effective: hard });
  });
});

describe('rule 5: configured is the plan and every add-on', () => {
  it('adds one for each unit that was bought, of each purchase', () => {
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

  it('adds what one unit grants, as often as it was bought', () => {
    const { configured, because } = limit('users', on('second/solo'), granted({ limits: { users: 4 } }, 3));
    expect(configured).toBe(13);
    expect(because[1]).toEqual({ ...term('add-on', 'special', 12, 2), quantity: 3 });
  });

  it('lets an add-on of something else alone', () => {
    const { configured, because } = limit('contentSections', on('second/teams'), bought(3, 'additionalUser'));
    expect(configured).toBe(2);
    expect(because).toEqual([term('plan', 'second/teams', 2, 1)]);
  });

  it('is unlimited when the plan is, whatever is added: an add-on never lowers a limit', () => {
    const one = limit('users', on('first/essential'), bought(1, 'additionalUser'));
    expect(one).toMatchObject({ configured: Infinity, effective: Infinity });
    expect(one.because).toEqual([
      term('plan', 'first/essential', Infinity, 1),
      { ...term('add-on', 'additionalUser', 1, 2), quantity: 1 },
    ]);
  });

  it.each([0, 1, 2, 7])('never sinks with add-ons: %i more', (more) => {
    for (const plan of ['first/essential', 'second/solo', 'second/teams'] as const)
      for (const resource of ['users', 'contentSections', 'qualityAssuranceDomains'] as const) {
        const without = limit(resource, on(plan));
        const units = { [resource]: more };
        const within = limit(resource, on(plan), granted({ limits: units }));
        expect(within.configured).toBeGreaterThanOrEqual(without.configured);
        expect(within.effective).toBeGreaterThanOrEqual(without.effective);
      }
  });

  it('sinks again when a purchase is cancelled', () => {
    const events = [on('second/teams'), bought(3, 'additionalUser'), cancelled('p-additionalUser')];
    expect(limit('users', ...events)).toMatchObject({ configured: 5 });
    expect(limit('users', ...events).because).not.toContainEqual(expect.objectContaining({ kind: 'add-on' }));
  });
});

describe('rule 6: effective is the lower of configured and hard', () => {
  it('two users on solo, though three seats were bought', () => {
    expect(limit('users', on('second/solo'), bought(3, 'additionalUser'))).toMatchObject({
      configured: 4,
      hard: 2,
      effective: 2,
      overridden: false,
    });
  });

  it('the configured one where it is lower', () => {
    expect(limit('users', on('second/teams'))).toMatchObject({ configured: 5, hard: 10, effective: 5 });
  });

  it('the configured one while the organization is overridden, and says who did that', () => {
    const lifted = limit('users', on('second/solo'), bought(3, 'additionalUser'), overridden);
    expect(lifted).toMatchObject({ configured: 4, hard: 2, effective: 4, overridden: true });
    expect(lifted.because.at(-1)).toEqual({ kind: 'override', what: 'a favour', event: 3, at: now });
  });

  it('the hard one where nothing else limits', () => {
    expect(limit('users', sold('second', 'custom', { hardLimits: { users: 3 } }))).toMatchObject({
      configured: Infinity,
      hard: 3,
      effective: 3,
    });
  });
});

describe('rule 7: web-analytics domains', () => {
  it.each<[string, OrganizationEvent[]]>([
    ['without a plan', []],
    ['on solo', [on('second/solo')]],
    ['with add-ons', [on('second/solo'), bought(5, 'webAnalytics')]],
    ['with a plan that says 3', [sold('second', 'custom', { limits: { webAnalyticsDomains: 3 } })]],
    ['with a hard limit', [sold('second', 'custom', { hardLimits: { webAnalyticsDomains: 3 } })]],
    ['with a limit by hand', [byHand({ webAnalyticsDomains: 3 })]],
    ['sold by add-on only', [sold('second', 'custom', { soldOnlyByAddOn: ['webAnalyticsDomains'] })]],
  ])('are always 1,000: %s', (_name, events) => {
    expect(limit('webAnalyticsDomains', ...events)).toMatchObject({
      configured: 1000,
      hard: Infinity,
      effective: 1000,
      because: [term('always', 'fixed', 1000, 0)],
    });
  });

  it('need the feature of their name, as quality-assurance domains do; nothing else has a gate', () => {
    const { limits } = entitlementsOf(stateOf(on('second/solo'), bought(1, 'webAnalytics')), now);
    expect(limits.webAnalyticsDomains.gate).toEqual({ feature: 'webAnalytics', on: true });
    expect(limits.qualityAssuranceDomains.gate).toEqual({ feature: 'qualityAssurance', on: false });
    expect(limits.users).not.toHaveProperty('gate');
    expect(limits.contentSections).not.toHaveProperty('gate');
  });
});

describe('rule 9: of parallel lines the more generous counts', () => {
  const narrow = sold('first', 'narrow', { limits: { users: 2 }, hardLimits: { users: 3 }, trafficPerMonth: 10 });
  const wide = sold('second', 'wide', { limits: { users: 5 }, hardLimits: { users: 9 }, trafficPerMonth: 20 });

  it.each([
    ['in one order', [narrow, wide]],
    ['in the other', [wide, narrow]],
  ])('for configured and hard limits and traffic alike, %s', (_name, events) => {
    expect(limit('users', ...events)).toMatchObject({ configured: 5, hard: 9, effective: 5 });
    expect(trafficAllowance(stateOf(...events))).toBe(20);
  });

  it('resource by resource, each for itself', () => {
    const other = sold('first', 'other', { limits: { users: 9, contentSections: 1 }, hardLimits: { users: 2 } });
    const state = stateOf(other, sold('second', 'wide', { limits: { users: 5, contentSections: 4 }, hardLimits: {} }));
    expect(limitOf('users', state, now)).toMatchObject({ configured: 9, hard: Infinity, effective: 9 });
    expect(limitOf('contentSections', state, now)).toMatchObject({ configured: 4 });
  });

  it('is unlimited if one of them is', () => {
    expect(limit('users', on('first/essential'), on('second/solo'))).toMatchObject({
      configured: Infinity,
      hard: Infinity,
      effective: Infinity,
    });
    const unmeasured = sold('first', 'unmeasured', { trafficPerMonth: 0 });
    expect(trafficAllowance(stateOf(unmeasured, wide))).toBe(Infinity);
  });

  it('is the first line where both say the same', () => {
    const same = sold('first', 'same', { limits: { users: 5 } });
    expect(limit('users', wide, same).because).toEqual([term('plan', 'first/same', 5, 2)]);
  });

  it('never narrows by a second plan, and does not depend on parallel use', () => {
    for (const parallelUse of [true, false, null]) {
      const use: OrganizationEvent = { type: 'ParallelUseChanged', data: { parallelUse } };
      const both = limit('users', use, narrow, wide);
      expect(both.effective).toBeGreaterThanOrEqual(limit('users', use, narrow).effective);
      expect(both.effective).toBe(5);
    }
  });
});

describe('rule 10: over the limit', () => {
  it('counts what is used, also beyond what is allowed', () => {
    const team = [on('second/teams'), added(ada), added(bob), added(cyd)];
    expect(limit('users', ...team)).toMatchObject({ used: 3, effective: 5 });
    expect(limit('users', ...team, on('second/solo'))).toMatchObject({ used: 3, effective: 1 });
  });

  it('counts each resource where it is listed', () => {
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

describe('rule 11: traffic has an allowance', () => {
  it('of the plan, of none without a plan, and of the plan that ended last', () => {
    expect(trafficAllowance(stateOf())).toBe(Infinity);
    expect(trafficAllowance(stateOf(on('second/solo')))).toBe(100_000);
    expect(trafficAllowance(stateOf(on('second/solo'), ended('second')))).toBe(100_000);
  });
});

describe('rule 12: service levels', () => {
  it.each(['assisted', 'turnkey'] as const)('%s switches chat support on, and nothing else', (level) => {
    expect(feature('chatSupport', served(level))).toEqual({
      on: true,
      because: [{ kind: 'service-level', what: level, event: 1, at: now }],
    });
    expect(featuresOn(served(level))).toEqual(['chatSupport']);
  });

  it('none is the absence of both', () => {
    expect(feature('chatSupport', served('assisted'), served('none'))).toEqual({ on: false, because: [] });
    expect(feature('chatSupport')).toEqual({ on: false, because: [] });
  });
});

describe('rule 13: what plans and add-ons switch on', () => {
  it('exactly what their terms name', () => {
    expect(featuresOn(on('second/teams'))).toEqual(['feedback', 'matomoIntegration']);
    expect(featuresOn(on('second/solo'))).toEqual(['feedback']);
    expect(featuresOn(bought(1, 'feedback'))).toEqual(['feedback', 'feedbackNotes']);
    expect(featuresOn(bought(1, 'qualityAssurance'))).toEqual(['multiUser', 'qualityAssurance']);
    expect(featuresOn(bought(1, 'webAnalytics'))).toEqual(['multiUser', 'webAnalytics']);
  });

  it('says everything that grants it, line by line', () => {
    expect(feature('feedback', on('second/solo'), bought(2, 'feedback')).because).toEqual([
      { kind: 'plan', what: 'second/solo', event: 1, at: now },
      { kind: 'add-on', what: 'feedback', event: 2, at: now },
    ]);
  });

  it('multi-site also by a default of the organization', () => {
    const many = { organizationDefaults: { features: { multiSite: true } } };
    expect(feature('multiSite', sold('first', 'many', many)).on).toBe(true);
    expect(feature('multiSite', sold('first', 'one', {})).on).toBe(false);
    expect(featuresOn(sold('first', 'many', many))).toEqual(['multiSite']);
  });

  it('stays on while one of them grants it', () => {
    const both = [on('second/solo'), bought(1, 'feedback')];
    expect(feature('feedback', ...both, ended('second')).on).toBe(true);
    expect(feature('feedback', ...both, ended('second'), cancelled('p-feedback')).on).toBe(false);
  });
});

describe('rule 17: limits by hand and the end of an override', () => {
  it('a limit by hand takes the place of the plan, and add-ons count on top of it', () => {
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

  it('a hard limit stands above a limit by hand', () => {
    expect(limit('users', on('second/solo'), byHand({ users: 7 }))).toMatchObject({ configured: 7, effective: 2 });
  });

  it('0 by hand is unlimited, and null gives the limit back to the plan', () => {
    expect(limit('users', on('first/essential'), byHand({ users: 0 })).configured).toBe(Infinity);
    expect(limit('qualityAssuranceDomains', on('second/solo'), byHand({ qualityAssuranceDomains: 0 }))).toMatchObject({
      configured: Infinity,
      because: [term('by-hand', 'set by hand', Infinity, 2)],
    });
    expect(limit('users', on('second/teams'), byHand({ users: 7 }), byHand({ users: null })).configured).toBe(5);
  });

  it('counts without a plan too', () => {
    expect(limit('users', byHand({ users: 7 }))).toMatchObject({ configured: 7, effective: 7 });
  });

  it('an override is in force until its end, and not at it', () => {
    const state = stateOf(on('second/solo'), bought(3, 'additionalUser'), overriddenUntil(later));
    const before = '2026-11-30T23:59:59.999Z';
    expect(limitOf('users', state, before)).toMatchObject({ effective: 4, overridden: true });
    expect(limitOf('users', state, later)).toMatchObject({ effective: 2, overridden: false });
    expect(limitOf('users', state, later).because).not.toContainEqual(expect.objectContaining({ kind: 'override' }));
    expect([entitlementsOf(state, before).override, entitlementsOf(state, later).override]).toEqual([true, false]);
  });

  it('an override without an end is in force for ever, until it is restored', () => {
    const restored: OrganizationEvent = { type: 'HardLimitsRestored', data: { reason: 'by hand' } };
    expect(entitlementsOf(stateOf(overridden), '9999-12-31T23:59:59.999Z').override).toBe(true);
    expect(entitlementsOf(stateOf(overridden, restored), now).override).toBe(false);
  });
});

describe('rule 18: without a plan', () => {
  it('nothing is configured and nothing limited before the first one', () => {
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

  it('while one is held, only held plans count', () => {
    const events = [on('second/teams'), on('first/professional'), ended('second')];
    expect(limit('contentSections', ...events).because).toEqual([term('plan', 'first/professional', 2, 2)]);
    expect(countingPlans(stateOf(...events)).map(({ plan }) => plan)).toEqual(['professional']);
  });

  it('when the last one ends, its features go off and its limits and hard limits stay', () => {
    const before = [on('second/solo'), bought(3, 'additionalUser')];
    const after = [...before, ended('second')];
    expect(limit('users', ...after)).toEqual(limit('users', ...before));
    expect(featuresOn(...after)).toEqual([]);
    expect(heldPlans(stateOf(...after))).toEqual([]);
  });

  it('of two lines, the one that ended last counts', () => {
    const both = [on('first/essential'), on('second/solo')];
    const firstLast = [...both, ended('second', now), ended('first', later)];
    const secondLast = [...both, ended('second', later), ended('first', now)];
    expect(countingPlans(stateOf(...firstLast)).map(({ plan }) => plan)).toEqual(['essential']);
    expect(countingPlans(stateOf(...secondLast)).map(({ plan }) => plan)).toEqual(['solo']);
  });

  it('of two lines that end at one moment, the one that was ended last counts, so that nothing widens', () => {
    const both = [on('first/essential'), on('second/solo')];
    const onlySolo = limit('users', ...both, ended('first'));
    expect(onlySolo.effective).toBe(1);
    expect(limit('users', ...both, ended('first'), ended('second')).effective).toBe(1);
    expect(limit('contentSections', ...both, ended('second'), ended('first')).because).toEqual([
      term('plan', 'first/essential', 1, 1),
    ]);
  });

  it('purchases and the service level need no plan', () => {
    const events = [bought(1, 'qualityAssurance'), served('turnkey')];
    expect(featuresOn(...events)).toEqual(['multiUser', 'qualityAssurance', 'chatSupport']);
  });

  it('a plan that comes back counts again', () => {
    const events = [on('second/solo'), ended('second'), on('second/teams', later)];
    expect(limit('users', ...events).because[0]).toEqual(term('plan', 'second/teams', 5, 3));
  });
});

describe('rule 20: the hard limit', () => {
  it('is a term of its own where there is one, and none where there is none', () => {
    expect(limit('users', on('second/solo')).because).toEqual([
      term('plan', 'second/solo', 1, 1),
      term('hard-limit', 'second/solo', 2, 1),
    ]);
    expect(limit('users', on('first/essential')).because).toHaveLength(1);
    expect(limit('users', on('first/essential')).hard).toBe(Infinity);
  });
});

describe('rule 21: sold by add-on alone', () => {
  it('counts from zero: no add-on, no domain', () => {
    expect(limit('qualityAssuranceDomains', on('second/solo'))).toMatchObject({
      configured: 0,
      effective: 0,
      because: [term('plan', 'second/solo', 0, 1)],
    });
    expect(limit('qualityAssuranceDomains', on('first/essential')).configured).toBe(0);
  });

  it('counts what was bought', () => {
    expect(limit('qualityAssuranceDomains', on('second/solo'), bought(2, 'qualityAssurance')).effective).toBe(2);
  });

  it('counts from what the plan says, where it says more', () => {
    const three = sold('second', 'three', { limits: { qualityAssuranceDomains: 3 } });
    expect(limit('qualityAssuranceDomains', three, bought(2, 'qualityAssurance')).configured).toBe(5);
  });

  it('is unlimited where the plan sells it otherwise', () => {
    const enterprise = sold('first', 'enterprise', { soldOnlyByAddOn: [] });
    expect(limit('qualityAssuranceDomains', enterprise).configured).toBe(Infinity);
    expect(limit('qualityAssuranceDomains', enterprise, on('second/solo')).configured).toBe(Infinity);
  });
});

describe('rule 23: the product', () => {
  it.each<[string, OrganizationEvent[], boolean]>([
    ['never set, without a plan', [], false],
    ['never set, with a plan of the first line', [on('first/essential')], false],
    ['never set, with a plan of the second line', [on('second/solo')], true],
    ['never set, after that plan ended', [on('second/solo'), ended('second')], false],
    ['enabled, without a plan', [enabled], true],
    ['disabled, with a plan of the second line', [on('second/solo'), disabled], false],
    ['as it was last set', [disabled, enabled], true],
  ])('is enabled or not: %s', (_name, events, expected) => {
    expect(productEnabled(stateOf(...events))).toBe(expected);
  });

  it('disabled, switches all seventeen features off, and says so', () => {
    const all = sold('second', 'all', { features: [...Feature.options] });
    expect(featuresOn(all)).toHaveLength(17);
    const { features } = entitlementsOf(stateOf(all, served('turnkey'), disabled), now);
    expect(Object.keys(features)).toEqual(Feature.options);
    for (const state of Object.values(features))
      expect(state).toEqual({ on: false, because: [{ kind: 'product', what: 'disabled', event: 3, at: now }] });
  });

  it('not enabled for want of a plan, leaves features of the first line on', () => {
    const feedback = sold('first', 'talkative', { features: ['feedback'] });
    expect(productEnabled(stateOf(feedback))).toBe(false);
    expect(featuresOn(feedback)).toEqual(['feedback']);
  });

  it('changes no limit', () => {
    expect(limit('users', on('second/solo'), disabled)).toEqual(limit('users', on('second/solo')));
  });
});

describe('rule 25: quantities are absolute', () => {
  it('a purchase counts what it said last', () => {
    const state = stateOf(on('second/teams'), bought(3, 'additionalUser'), bought(1, 'additionalUser'));
    expect(limitOf('users', state, now).configured).toBe(6);
    expect(purchasesInForce(state)).toMatchObject([{ purchase: 'p-additionalUser', quantity: 1, event: 3, at: now }]);
  });
});

describe('rule 27: a closed organization', () => {
  it('has no features, and says every reason', () => {
    expect(feature('feedback', on('second/solo'), disabled, closed)).toEqual({
      on: false,
      because: [
        { kind: 'closed', what: 'moved away', event: 3, at: now },
        { kind: 'product', what: 'disabled', event: 2, at: now },
      ],
    });
  });

  it('keeps its limits', () => {
    expect(limit('users', on('second/solo'), closed)).toEqual(limit('users', on('second/solo')));
  });

  it('has nothing on at its sites', () => {
    const state = stateOf(on('second/solo'), siteAdded(shop, 'shop.test'), closed);
    expect(Object.values(siteFeaturesOf(shop, state))).not.toContain(true);
    expect(siteDefaultsOf(state)).toEqual({ report: { weekly: false, monthly: false }, live: false });
  });
});

describe("rule 29: a site's features", () => {
  const site = siteAdded(shop, 'shop.test');
  const changed = (features: SiteFeatures): OrganizationEvent => ({
    type: 'SiteFeaturesChanged',
    data: { site: shop, features },
  });
  const at = (...events: OrganizationEvent[]) => siteFeaturesOf(shop, stateOf(site, ...events));

  it('are those of the plan, and off without one', () => {
    expect(at(on('second/solo'))).toMatchObject({ logo: true, reports: false });
    expect(Object.keys(at())).toHaveLength(10);
    expect(Object.values(at())).not.toContain(true);
  });

  it('are off when the plan has ended, though its limits stay', () => {
    expect(at(on('second/solo'), ended('second')).logo).toBe(false);
  });

  it('are on if one of two plans has them on', () => {
    const { siteDefaults } = termsOf({});
    const other = sold('first', 'other', {
      siteDefaults: { ...siteDefaults, features: { logo: false, reports: true } },
    });
    expect(at(other, on('second/solo'))).toMatchObject({ logo: true, reports: true, live: false });
  });

  it('are what differs for this site before anything else, with a plan and without', () => {
    expect(at(on('second/solo'), changed({ logo: false, reports: true }))).toMatchObject({
      logo: false,
      reports: true,
    });
    expect(at(changed({ reports: true }))).toMatchObject({ logo: false, reports: true });
    expect(at(on('second/solo'), changed({ logo: false }), changed({})).logo).toBe(true);
  });

  it('of a site that is not there are those of the plan', () => {
    expect(siteFeaturesOf(ada, stateOf(on('second/solo')))).toMatchObject({ logo: true });
  });

  it('what it reports and whether it is live is what a held plan has on', () => {
    const weekly = { features: {}, report: { weekly: true, monthly: false }, live: false };
    const first = sold('first', 'weekly', { siteDefaults: weekly });
    expect(siteDefaultsOf(stateOf(on('second/solo')))).toEqual({
      report: { weekly: false, monthly: true },
      live: true,
    });
    expect(siteDefaultsOf(stateOf(first))).toEqual({ report: { weekly: true, monthly: false }, live: false });
    expect(siteDefaultsOf(stateOf(first, on('second/solo')))).toEqual({
      report: { weekly: true, monthly: true },
      live: true,
    });
    expect(siteDefaultsOf(stateOf())).toEqual({ report: { weekly: false, monthly: false }, live: false });
  });
});
