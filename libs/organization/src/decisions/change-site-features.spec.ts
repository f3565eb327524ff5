import type { SiteFeatures } from '../terms';
import type { SiteFeature } from '../terms';
import { blog, founded, given, on, shop, siteAdded } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const change = (features: { [feature in SiteFeature]?: boolean | null }, site = shop) =>
  ({ type: 'ChangeSiteFeatures', data: { site, features } }) as const;
const changed = (features: SiteFeatures) => ({ type: 'SiteFeaturesChanged', data: { site: shop, features } }) as const;
const before = [founded, on('second/solo'), siteAdded(shop, 'shop.test')];

describe('ChangeSiteFeatures', () => {
  it('records the changed features of the site once, however often the command is sent', () => {
    expect(given(...before).when(change({ logo: false, reports: true }))).toEqual([
      changed({ logo: false, reports: true }),
    ]);
    expect(given(...before, changed({ logo: false })).when(change({ logo: false }))).toEqual([]);
  });

  it('does not undo earlier changes, and its event contains all differences from the plan', () => {
    expect(given(...before, changed({ logo: false })).when(change({ reports: true }))).toEqual([
      changed({ logo: false, reports: true }),
    ]);
  });

  it("restores the plan's value of a feature if the command contains null", () => {
    const own = [...before, changed({ logo: false, reports: true })];
    expect(given(...own).when(change({ logo: null }))).toEqual([changed({ reports: true })]);
    expect(given(...own).when(change({ logo: null, reports: null }))).toEqual([changed({})]);
    expect(given(...before, changed({ reports: true })).when(change({ logo: null }))).toEqual([]);
    expect(given(...own, changed({ reports: true })).state().sites[shop]!.features).toEqual({ reports: true });
  });

  it("stores a value that equals the plan's default, because the default may change", () => {
    expect(given(...before).when(change({ logo: true }))).toEqual([changed({ logo: true })]);
  });

  it('records nothing when no feature is named', () => {
    expect(given(...before, changed({ logo: false })).when(change({}))).toEqual([]);
  });

  it('is refused for an unknown site', () => {
    expect(given(...before).when(change({ logo: true }, blog))).toMatchObject({ refused: 'no-such-site' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(change({ logo: true }), ...before)).toEqual(stewardNames);
    expect(whenClosed(change({ logo: true }), {}, siteAdded(shop, 'shop.test'))).toBe('organization-closed');
  });
});
