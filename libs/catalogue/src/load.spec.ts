import { Feature } from '@charter/organization';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printedCatalogue } from './printed-catalogue';
import { builtInCatalogue, CatalogueRefused, loadCatalogue } from './load';

const catalogue = loadCatalogue();
const plans = catalogue.plans().map((plan) => [`${plan.line}/${plan.plan}`, plan] as const);
const folder = mkdtempSync(join(tmpdir(), 'charter-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (text: string) => {
  const file = join(folder, 'plans.json');
  writeFileSync(file, text);
  return file;
};

describe('Built-in plan', () => {
  it.each(plans)(
    '%s sells quality-assurance domains only by add-on, unless it is an enterprise plan',
    (name, { terms }) => {
      expect(terms.soldOnlyByAddOn).toEqual(name.endsWith('enterprise') ? [] : ['qualityAssuranceDomains']);
    },
  );

  it('includes matomoIntegration only if it is the plan teams', () => {
    const having = plans.filter(([, { terms }]) => terms.features.includes('matomoIntegration'));
    expect(having.map(([name]) => name)).toEqual(['second/teams']);
  });

  it.each(plans)(
    '%s names the fields whose values Charter chose, and no field that the specification fixes',
    (_name, { ours }) => {
      expect(ours).toEqual(expect.arrayContaining(['features', 'siteDefaults']));
      expect(ours).not.toEqual(expect.arrayContaining([expect.stringMatching(/limits|trafficPerMonth/i)]));
    },
  );

  it.each(plans)('%s has a value for all ten site features', (_name, { terms }) => {
    expect(Object.keys(terms.siteDefaults.features)).toHaveLength(10);
  });
});

describe('Built-in add-on', () => {
  it.each([
    ['additionalContentSection', { limits: { contentSections: 1 }, features: [] }],
    ['additionalUser', { limits: { users: 1 }, features: [] }],
    ['qualityAssurance', { limits: { qualityAssuranceDomains: 1 }, features: ['qualityAssurance', 'multiUser'] }],
    ['webAnalytics', { limits: { webAnalyticsDomains: 1 }, features: ['webAnalytics', 'multiUser'] }],
  ])('%s grants the limits and features of the specification', (addOn, grants) => {
    expect(catalogue.grants(addOn)).toEqual(grants);
  });

  it('`feedback` turns on all feedback features and all button tools', () => {
    const all = Feature.options.filter((name) => /^(feedback|buttonTool)/.test(name));
    expect(catalogue.grants('feedback')).toEqual({ limits: {}, features: all });
  });

  it('is one of five add-ons', () => expect(catalogue.addOns()).toHaveLength(5));
});

describe('Catalogue', () => {
  it('finds the terms of a plan by the product line and the name of the plan', () => {
    expect(catalogue.terms('second', 'teams')?.limits.users).toBe(5);
    expect(catalogue.terms('first', 'teams')).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('has no entry named "%s"', (name) => {
    expect([catalogue.terms('first', name), catalogue.grants(name), catalogue.byProviderId(name)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('returns objects that cannot be changed', () => {
    const { terms, linkedProductIds } = catalogue.plans()[0]!;
    expect(
      [terms, terms.limits, terms.features, terms.siteDefaults.features, linkedProductIds].every(Object.isFrozen),
    ).toBe(true);
  });
});

describe('Provider ids', () => {
  const sold = loadCatalogue({ planProviderIds: ['price_e', ' price_p ', 'price_unused', 'price_section'] });

  it.each([
    ['price_e', { kind: 'plan', line: 'first', plan: 'essential' }],
    ['price_p', { kind: 'plan', line: 'first', plan: 'professional' }],
    ['price_section', { kind: 'add-on', addOn: 'additionalContentSection' }],
    ['charter-second-teams', { kind: 'plan', line: 'second', plan: 'teams' }],
    ['charter-feedback', { kind: 'add-on', addOn: 'feedback' }],
    ['price_unused', undefined],
  ])('lead from %s to the product %j', (id, what) => expect(sold.byProviderId(id)).toEqual(what));

  it('are listed together with their products', () => {
    expect(sold.plans()[0]).toMatchObject({ plan: 'essential', providerId: 'price_e' });
  });

  it('in the setting replace the provider ids of the file, except where the setting is empty', () => {
    const file = written(edited((plans) => Object.assign(plans['first/essential']!, { providerId: 'price_old' })));
    expect(loadCatalogue({ file }).byProviderId('price_old')).toMatchObject({ plan: 'essential' });
    expect(loadCatalogue({ file, planProviderIds: [''] }).byProviderId('price_old')).toMatchObject({
      plan: 'essential',
    });
    expect(loadCatalogue({ file, planProviderIds: ['price_new'] }).byProviderId('price_old')).toBeUndefined();
  });

  it.each([
    [{ kind: 'plan', line: 'first', plan: 'essential' }, 'price_e'],
    [{ kind: 'add-on', addOn: 'additionalContentSection' }, 'price_section'],
    [{ kind: 'plan', line: 'second', plan: 'teams' }, undefined],
    [{ kind: 'plan', line: 'second', plan: 'none' }, undefined],
    [{ kind: 'add-on', addOn: 'constructor' }, undefined],
  ] as const)('contain the price of %j: %s', (product, price) => expect(sold.priceIdOf(product)).toBe(price));

  it('are ids of a price only with the prefix `price_`', () => {
    const file = written(
      edited((plans) => Object.assign(plans['second/solo']!, { linkedProductIds: ['prod_solo', 'price_solo'] })),
    );
    expect(loadCatalogue({ file }).priceIdOf({ kind: 'plan', line: 'second', plan: 'solo' })).toBe('price_solo');
  });

  it('determine which offers are sold online: only offers that have the id of a price', () => {
    const file = written(
      edited((plans) => {
        Object.assign(plans['second/solo']!, { linkedProductIds: ['prod_solo', 'price_solo'] });
        Object.assign(plans['second/teams']!, { linkedProductIds: ['prod_teams'] });
      }),
    );
    const { plans: printed, addOns } = printedCatalogue(loadCatalogue({ file }), 'pulse');
    const isOnline = Object.fromEntries(printed.map(({ plan, soldOnline }) => [plan, soldOnline]));
    expect(isOnline).toMatchObject({ solo: true, teams: false });
    expect(printedCatalogue(sold, 'pulse').addOns).toContainEqual(
      expect.objectContaining({ addOn: 'additionalContentSection', soldOnline: true }),
    );
    expect(addOns).toContainEqual(expect.objectContaining({ addOn: 'webAnalytics', soldOnline: false }));
  });

  it('must each belong to only one product', () => {
    expect(() => loadCatalogue({ planProviderIds: ['price_a', 'price_a'] })).toThrow(
      /first\/professional.*"price_a" is sold twice: it names first\/essential already/,
    );
  });
});

describe('Catalogue file of an operator', () => {
  it('replaces the built-in catalogue', () => {
    const file = written(edited((plans) => Object.assign(plans['second/solo']!, { trafficPerMonth: 7 })));
    expect(loadCatalogue({ file }).terms('second', 'solo')?.trafficPerMonth).toBe(7);
  });

  it('may contain plans that the built-in catalogue does not contain', () => {
    const file = written(edited((plans) => Object.assign(plans, { 'second/crew': plans['second/solo'] }), 'unlinked'));
    expect(loadCatalogue({ file }).terms('second', 'crew')?.limits.users).toBe(1);
  });

  it('is refused with a sentence that names file, line and path', () => {
    const file = written(edited((plans) => Object.assign(plans['first/essential']!, { trafficPerMonth: -1, live: 1 })));
    const refused = refusal(() => loadCatalogue({ file }));
    expect(refused.message).toMatch(
      /^The catalogue \S+plans\.json cannot be used: line \d+, plans\.first\/essential\.trafficPerMonth: .* \(and 1 more: charter catalogue check \S+\)\.$/,
    );
    expect(refused.problems).toHaveLength(2);
  });

  it('is refused when it does not exist', () => {
    expect(refusal(() => loadCatalogue({ file: '/nowhere/plans.json' })).message).toMatch(
      /^The catalogue \/nowhere\/plans\.json cannot be used: line 1: cannot be read: ENOENT/,
    );
  });
});

/**
 * The text of the built-in file after a change. `unlinked` removes the product ids, because a copied plan must not
 * repeat them.
 */
function edited(change: (plans: Record<string, object>) => void, unlinked?: 'unlinked'): string {
  const text = readFileSync(builtInCatalogue, 'utf8');
  const file = JSON.parse(unlinked ? text.replaceAll(/"charter-[^"]*"/g, '') : text);
  change(file.plans);
  return JSON.stringify(file, null, 2);
}

function refusal(attempt: () => unknown): CatalogueRefused {
  try {
    attempt();
  } catch (error) {
    if (error instanceof CatalogueRefused) return error;
  }
  throw new Error('was not refused');
}
