import {
  stateOf,
  limit,
  feature,
  featuresOn,
  later,
  sold,
  cancelled,
  disabled,
  enabled,
  served,
} from './testing/entitled.testing';
import { offersFor, offersOf } from './catalogue';
import { featureOff } from './decision';
import { entitlementsOf, productEnabled, siteDefaultsOf, siteFeaturesOf } from './entitlements';
import type { OrganizationEvent } from './events';
import { Feature, type SiteFeatures } from './terms';
import {
  ada,
  bought,
  catalogue,
  closed,
  ended,
  now,
  on,
  shop,
  siteAdded,
  termsOf,
} from './testing/organization.testing';

describe('Rule 12: service levels', () => {
  it.each(['assisted', 'turnkey'] as const)('%s switches on chat support and no other feature', (level) => {
    expect(feature('chatSupport', served(level))).toEqual({
      on: true,
      because: [{ kind: 'service-level', what: level, event: 1, at: now }],
    });
    expect(featuresOn(served(level))).toEqual(['chatSupport']);
  });

  it('the level `none` does not switch on chat support', () => {
    expect(feature('chatSupport', served('assisted'), served('none')).on).toBe(false);
    expect(feature('chatSupport').on).toBe(false);
  });
});

describe('Rule 13: features of plans and add-ons', () => {
  it('are exactly the features that the terms name', () => {
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

  it('include multi-site if the `organizationDefaults` of a held plan grant it', () => {
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

describe('Rule 30: a feature that is off', () => {
  const why = (name: Feature, ...events: OrganizationEvent[]) => {
    const { on, because } = feature(name, ...events);
    return [on, ...because.map(({ kind, what, event }) => `${kind}: ${what} (${event})`)];
  };

  it('has as its reasons all held plans, each with the event of its sale', () => {
    expect(feature('multiSite', on('second/solo'))).toEqual({
      on: false,
      because: [{ kind: 'not-in-plan', what: 'second/solo', event: 1, at: now }],
    });
    expect(why('webAnalytics', on('second/solo'), on('first/essential'), bought(1, 'feedback'))).toEqual([
      false,
      'not-in-plan: first/essential (2)',
      'not-in-plan: second/solo (1)',
    ]);
  });

  it('has the first sale of the plan as its reason, even if billing repeats the sale', () => {
    expect(why('multiSite', on('second/solo'), on('second/solo', later))).toEqual([
      false,
      'not-in-plan: second/solo (1)',
    ]);
  });

  it('has the end of the plan that ended last, or the founding, as its reason if there is no plan', () => {
    const both = [on('first/essential'), on('second/solo')];
    expect(why('feedback')).toEqual([false, 'none: no plan (0)']);
    expect(why('feedback', ended('second'))).toEqual([false, 'none: no plan (0)']);
    expect(why('feedback', on('second/solo'), ended('second', later))).toEqual([false, 'none: no plan (2)']);
    expect(why('feedback', ...both, ended('first', later), ended('second'))).toEqual([false, 'none: no plan (3)']);
    expect(why('feedback', ...both, ended('first'), ended('second', later))).toEqual([false, 'none: no plan (4)']);
  });

  it('also has the service level as a reason if a level would turn the feature on', () => {
    expect(why('chatSupport')).toEqual([false, 'none: no plan (0)', 'service-level: none (0)']);
    expect(why('chatSupport', on('second/solo'), served('assisted'), served('none'))).toEqual([
      false,
      'not-in-plan: second/solo (1)',
      'service-level: none (3)',
    ]);
  });

  it('names first the reasons that block all features, and then each plan that does not grant the feature', () => {
    expect(why('multiSite', on('second/solo'), disabled, closed)).toEqual([
      false,
      'closed: moved away (3)',
      'product: disabled (2)',
      'not-in-plan: second/solo (1)',
    ]);
    expect(why('feedback', on('second/solo'), disabled, closed)).toEqual([
      false,
      'closed: moved away (3)',
      'product: disabled (2)',
    ]);
  });

  it('turns on when one of the held plans grants it; this plan is then the only reason', () => {
    expect(why('feedback', on('first/essential'), on('second/solo'))).toEqual([true, 'plan: second/solo (2)']);
  });
});

describe("An offer of today's catalogue for a feature", () => {
  it('exists for each plan, add-on and service level that grants the feature', () => {
    expect(offersOf('feedback', catalogue)).toEqual([
      { kind: 'plan', what: 'second/solo' },
      { kind: 'plan', what: 'second/teams' },
      { kind: 'add-on', what: 'feedback' },
    ]);
    expect(offersOf('multiSite', catalogue)).toEqual([]);
    expect(offersOf('chatSupport', catalogue)).toEqual([
      { kind: 'service-level', what: 'assisted' },
      { kind: 'service-level', what: 'turnkey' },
    ]);
  });

  it('can be a plan that grants multi-site in its `organizationDefaults`', () => {
    const many = { ...termsOf({}), organizationDefaults: { features: { multiSite: true } } };
    const one = { plans: () => [{ line: 'first', plan: 'many' }] as const, terms: () => many };
    expect(offersOf('multiSite', { ...catalogue, ...one })).toEqual([{ kind: 'plan', what: 'first/many' }]);
  });

  it("contains the words `with today's terms` for a plan that the organization holds, because a held plan keeps the terms of its sale", () => {
    const renewed = { ...termsOf({}), features: ['multiUser' as const] };
    const today = { ...catalogue, terms: () => renewed };
    expect(featureOff('multiUser', stateOf(on('second/solo')), today)?.detail).toBe(
      "The feature multiUser is off: not in second/solo (event 1). By today's catalogue, each of these would turn it on: " +
        "first/essential, first/professional, second/solo with today's terms, second/teams, " +
        'add-on qualityAssurance, add-on webAnalytics.',
    );
  });

  it('does not exist if nothing in the catalogue grants the feature', () => {
    expect(featureOff('multiSite', stateOf(on('second/solo')), catalogue)).toMatchObject({
      detail:
        "The feature multiSite is off: not in second/solo (event 1). Nothing in today's catalogue would turn it on.",
      facts: { today: [] },
    });
  });

  it('does not exist while the feature is on, the product is disabled or the organization is closed', () => {
    const offers = (...events: OrganizationEvent[]) =>
      offersFor('feedbackNotes', feature('feedbackNotes', ...events), catalogue);
    expect(offers(on('second/solo'))).toEqual([{ kind: 'add-on', what: 'feedback' }]);
    expect(offers(on('second/solo'), bought(1, 'feedback'))).toEqual([]);
    expect(offers(on('second/solo'), disabled)).toEqual([]);
    expect(offers(on('second/solo'), closed)).toEqual([]);
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
  ])(
    'is enabled or disabled by the last command; without a command, a plan of the second line enables it: %s',
    (_name, events, expected) => {
      expect(productEnabled(stateOf(...events))).toBe(expected);
    },
  );

  it('switches off all seventeen features when it is disabled, and is then the only reason', () => {
    const all = sold('second', 'all', { features: [...Feature.options] });
    expect(featuresOn(all)).toHaveLength(17);
    const { features } = entitlementsOf(stateOf(all, served('turnkey'), disabled), now);
    expect(Object.keys(features)).toEqual(Feature.options);
    for (const state of Object.values(features))
      expect(state).toEqual({ on: false, because: [{ kind: 'product', what: 'disabled', event: 3, at: now }] });
  });

  it("does not switch off features of the first product line's plan if the second line has no plan", () => {
    const feedback = sold('first', 'talkative', { features: ['feedback'] });
    expect(productEnabled(stateOf(feedback))).toBe(false);
    expect(featuresOn(feedback)).toEqual(['feedback']);
  });

  it('turns off, while the product is disabled or the organization is closed, the features that limits require (`gate`)', () => {
    const gateOf = (...events: OrganizationEvent[]) =>
      limit('webAnalyticsDomains', bought(1, 'webAnalytics'), ...events).gate;
    expect(gateOf()).toEqual({ feature: 'webAnalytics', on: true });
    expect(gateOf(disabled)).toEqual({ feature: 'webAnalytics', on: false });
    expect(gateOf(closed)).toEqual({ feature: 'webAnalytics', on: false });
  });

  it('does not change the users limit when it is disabled', () => {
    expect(limit('users', on('second/solo'), disabled)).toEqual(limit('users', on('second/solo')));
  });
});

describe('Rule 27: a closed organization', () => {
  it('turns a feature off, with the closing and the disabled product as its reasons', () => {
    expect(feature('feedback', on('second/solo'), disabled, closed)).toEqual({
      on: false,
      because: [
        { kind: 'closed', what: 'moved away', event: 3, at: now },
        { kind: 'product', what: 'disabled', event: 2, at: now },
      ],
    });
  });

  it('has the same users limit as before the closing', () => {
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

  it('are the features of the plan; without a plan all are off', () => {
    expect(at(on('second/solo'))).toMatchObject({ logo: true, reports: false });
    expect(Object.keys(at())).toHaveLength(10);
    expect(Object.values(at())).not.toContain(true);
  });

  it('are off if the only plan names them as off', () => {
    const { siteDefaults } = termsOf({});
    const plain = sold('first', 'plain', { siteDefaults: { ...siteDefaults, features: { logo: false } } });
    expect(Object.values(at(plain))).not.toContain(true);
  });

  it('are off after the plan has ended', () => {
    expect(at(on('second/solo'), ended('second')).logo).toBe(false);
  });

  it('are on if at least one of two plans has them on', () => {
    const { siteDefaults } = termsOf({});
    const other = sold('first', 'other', {
      siteDefaults: { ...siteDefaults, features: { logo: false, reports: true } },
    });
    expect(at(other, on('second/solo'))).toMatchObject({ logo: true, reports: true, live: false });
  });

  it("are the site's own values if the site has some, with or without a plan", () => {
    expect(at(on('second/solo'), changed({ logo: false, reports: true }))).toMatchObject({
      logo: false,
      reports: true,
    });
    expect(at(changed({ reports: true }))).toMatchObject({ logo: false, reports: true });
    expect(at(on('second/solo'), changed({ logo: false }), changed({})).logo).toBe(true);
  });

  it('are the features of the plan if the site is unknown', () => {
    expect(siteFeaturesOf(ada, stateOf(on('second/solo')))).toMatchObject({ logo: true });
  });

  it('come with settings for reports and live mode; each setting is on if it is on in a held plan', () => {
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
