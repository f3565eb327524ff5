import { blog, founded, given, shop, siteAdded } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const remove = (site: string) => ({ type: 'RemoveSite', data: { site } }) as const;
const removed = { type: 'SiteRemoved', data: { site: shop } } as const;
const site = siteAdded(shop, 'shop.test');

describe('RemoveSite', () => {
  it('is recorded', () => {
    expect(given(founded, site).when(remove(shop))).toEqual([removed]);
    expect(given(founded, site, removed).state().sites).toEqual({});
  });

  it('is refused a second time, and for an unknown site', () => {
    expect(given(founded, site, removed).when(remove(shop))).toMatchObject({ refused: 'no-such-site' });
    expect(given(founded, site).when(remove(blog))).toMatchObject({ refused: 'no-such-site' });
  });

  it('also removes the feature changes of the site', () => {
    const changed = { type: 'SiteFeaturesChanged', data: { site: shop, features: { logo: false } } } as const;
    expect(given(founded, site, changed, removed, site).state().sites[shop]!.features).toEqual({});
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(remove(shop), founded, site)).toEqual(stewardNames);
    expect(whenClosed(remove(shop), {}, site)).toBe('organization-closed');
  });
});
