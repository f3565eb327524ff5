import {
  stateOf,
  limit,
  feature,
  featuresOn,
  sold,
  cancelled,
  disabled,
  enabled,
  served,
} from './testing/entitled.testing';
import { entitlementsOf, productEnabled, siteDefaultsOf, siteFeaturesOf } from './entitlements';
import type { OrganizationEvent } from './events';
import { Feature, type SiteFeatures } from './terms';
import { ada, bought, closed, ended, now, on, shop, siteAdded, termsOf } from './testing/organization.testing';

describe('Rule 12: service levels', () => {
  it.each(['assisted', 'turnkey'] as const)('%s switches on chat support and no other feature', (level) => {
    expect(feature('chatSupport', served(level))).toEqual({
      on: true,
      because: [{ kind: 'service-level', what: level, event: 1, at: now }],
    });
    expect(featuresOn(served(level))).toEqual(['chatSupport']);
  });

  it('the level none switches on no feature', () => {
    expect(feature('chatSupport', served('assisted'), served('none'))).toEqual({ on: false, because: [] });
    expect(feature('chatSupport')).toEqual({ on: false, because: [] });
  });
});

describe('Rule 13: features of plans and add-ons', () => {
  it('are exactly those that the terms name', () => {
    expect(featuresOn(on('second/teams'))).toEqual(['feedback', 'matomoIntegration']);
    expect(featuresOn(on('second/solo'))).toEqual(['feedback']);
    expect(featuresOn(bought(1, 'feedback'))).toEqual(['feedback', 'feedbackNotes']);
    expect(featuresOn(bought(1, 'qualityAssurance'))).toEqual(['multiUser', 'qualityAssurance']);
    expect(featuresOn(bought(1, 'webAnalytics'))).toEqual(['multiUser', 'webAnalytics']);
  });

  it('have every grant as a reason', () => {
    expect(feature('feedback', on('second/solo'), bought(2, 'feedback')).because).toEqual([
      { kind: 'plan', what: 'second/solo', event: 1, at: now },
      { kind: 'add-on', what: 'feedback', event: 2, at: now },
    ]);
  });

  it('include multi-site if a default of the organization grants it', () => {
    const many = { organizationDefaults: { features: { multiSite: true } } };
    expect(feature('multiSite', sold('first', 'many', many)).on).toBe(true);
    expect(feature('multiSite', sold('first', 'one', {})).on).toBe(false);
    expect(featuresOn(sold('first', 'many', many))).toEqual(['multiSite']);
  });

  it('stay on while at least one grant is left', () => {
    const both = [on('second/solo'), bought(1, 'feedback')];
    expect(feature('feedback', ...both, ended('second')).on).toBe(true);
    expect(feature('feedback', ...both, ended('second'), cancelled('p-feedback')).on).toBe(false);
  });
});

describe('Rule 23: the product', () => {
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

  it('switches off all seventeen features when it is disabled, and is then the only reason', () => {
    const all = sold('second', 'all', { features: [...Feature.options] });
    expect(featuresOn(all)).toHaveLength(17);
    const { features } = entitlementsOf(stateOf(all, served('turnkey'), disabled), now);
    expect(Object.keys(features)).toEqual(Feature.options);
    for (const state of Object.values(features))
      expect(state).toEqual({ on: false, because: [{ kind: 'product', what: 'disabled', event: 3, at: now }] });
  });

  it("does not switch off features of the first line's plan if the second line has no plan", () => {
    const feedback = sold('first', 'talkative', { features: ['feedback'] });
    expect(productEnabled(stateOf(feedback))).toBe(false);
    expect(featuresOn(feedback)).toEqual(['feedback']);
  });

  it('changes no limit', () => {
    expect(limit('users', on('second/solo'), disabled)).toEqual(limit('users', on('second/solo')));
  });
});

describe('Rule 27: a closed organization', () => {
  it('has no features, and lists every reason', () => {
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

  it('has no site features', () => {
    const own = { type: 'SiteFeaturesChanged', data: { site: shop, features: { reports: true } } } as const;
    const state = stateOf(on('second/solo'), siteAdded(shop, 'shop.test'), own, closed);
    expect(Object.values(siteFeaturesOf(shop, state))).not.toContain(true);
    expect(siteDefaultsOf(state)).toEqual({ report: { weekly: false, monthly: false }, live: false });
  });
});

describe("Rule 29: a site's features", () => {
  const site = siteAdded(shop, 'shop.test');
  const changed = (features: SiteFeatures): OrganizationEvent => ({
    type: 'SiteFeaturesChanged',
    data: { site: shop, features },
  });
  const at = (...events: OrganizationEvent[]) => siteFeaturesOf(shop, stateOf(site, ...events));

  it('are those of the plan; without a plan they are off', () => {
    expect(at(on('second/solo'))).toMatchObject({ logo: true, reports: false });
    expect(Object.keys(at())).toHaveLength(10);
    expect(Object.values(at())).not.toContain(true);
  });

  it("are off after the plan has ended, although the plan's limits stay", () => {
    expect(at(on('second/solo'), ended('second')).logo).toBe(false);
  });

  it('are on if at least one of two plans has them on', () => {
    const { siteDefaults } = termsOf({});
    const other = sold('first', 'other', {
      siteDefaults: { ...siteDefaults, features: { logo: false, reports: true } },
    });
    expect(at(other, on('second/solo'))).toMatchObject({ logo: true, reports: true, live: false });
  });

  it("are the site's own values if it has any, with a plan and without one", () => {
    expect(at(on('second/solo'), changed({ logo: false, reports: true }))).toMatchObject({
      logo: false,
      reports: true,
    });
    expect(at(changed({ reports: true }))).toMatchObject({ logo: false, reports: true });
    expect(at(on('second/solo'), changed({ logo: false }), changed({})).logo).toBe(true);
  });

  it('are those of the plan if the site is unknown', () => {
    expect(siteFeaturesOf(ada, stateOf(on('second/solo')))).toMatchObject({ logo: true });
  });

  it('come with settings for reports and live mode, each on if a held plan has it on', () => {
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
