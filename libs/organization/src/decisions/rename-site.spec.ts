import { blog, founded, given, shop, siteAdded } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const rename = (site: string, name: string) => ({ type: 'RenameSite', data: { site, name } }) as const;
const renamed = { type: 'SiteRenamed', data: { site: shop, name: 'Shop' } } as const;
const site = siteAdded(shop, 'shop.test');

describe('RenameSite', () => {
  it('records the new name once, however often the command is sent', () => {
    expect(given(founded, site).when(rename(shop, 'Shop'))).toEqual([renamed]);
    expect(given(founded, site, renamed).when(rename(shop, 'Shop'))).toEqual([]);
    expect(given(founded, site, renamed).state().sites[shop]).toMatchObject({ hostname: 'shop.test', name: 'Shop' });
  });

  it('is refused for an unknown site', () => {
    expect(given(founded, site).when(rename(blog, 'Blog'))).toMatchObject({ refused: 'no-such-site' });
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(rename(shop, 'Shop'), founded, site)).toEqual(stewardNames);
    expect(whenClosed(rename(shop, 'Shop'), {}, site)).toBe('organization-closed');
  });
});
