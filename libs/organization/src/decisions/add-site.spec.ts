import { blog, bought, founded, given, now, on, overridden, shop, siteAdded } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const add = (site: string, hostname: string, name?: string) =>
  ({ type: 'AddSite', data: { site, hostname, ...(name && { name }) } }) as const;

describe('AddSite', () => {
  it("records the site once; without a name, the hostname is the site's name", () => {
    expect(given(founded).when(add(shop, 'shop.test'))).toEqual([siteAdded(shop, 'shop.test')]);
    expect(given(founded, siteAdded(shop, 'shop.test')).when(add(shop, 'shop.test'))).toEqual([]);
  });

  it('records the given name or, without one, the hostname in Unicode', () => {
    const hostname = 'xn--mnchen-3ya.de';
    expect(given(founded).when(add(shop, hostname))).toEqual([
      { type: 'SiteAdded', data: { site: shop, hostname, name: 'münchen.de' } },
    ]);
    expect(given(founded).when(add(shop, hostname, 'Shop'))).toEqual([
      { type: 'SiteAdded', data: { site: shop, hostname, name: 'Shop' } },
    ]);
  });

  it('records the start of a hostname that is too long for a name', () => {
    const hostname = `${'long.'.repeat(50)}test`;
    expect(given(founded).when(add(shop, hostname))).toEqual([
      { type: 'SiteAdded', data: { site: shop, hostname, name: hostname.slice(0, 200) } },
    ]);
  });

  it('is refused if another site has the id', () => {
    expect(given(founded, siteAdded(shop, 'shop.test')).when(add(shop, 'blog.test'))).toMatchObject({
      refused: 'id-taken',
      facts: { site: shop },
    });
  });

  it('is refused if another site has the hostname', () => {
    expect(given(founded, siteAdded(shop, 'shop.test')).when(add(blog, 'shop.test'))).toMatchObject({
      refused: 'hostname-taken',
      facts: { hostname: 'shop.test' },
    });
  });

  it('is refused when all content sections are in use, and the refusal contains the reasons', () => {
    const full = given(founded, on('second/solo'), bought(2, 'additionalContentSection'), siteAdded(shop, 'shop.test'));
    expect(full.when(add(blog, 'blog.test'))).toMatchObject({
      refused: 'limit-exceeded',
      facts: {
        limit: 'contentSections',
        allowed: 1,
        used: 1,
        requested: 1,
        hard: 1,
        because: [
          { kind: 'plan', what: 'second/solo', amount: 1, event: 1, at: now },
          { kind: 'add-on', what: 'additionalContentSection', quantity: 2, amount: 2, event: 2, at: now },
          { kind: 'hard-limit', what: 'second/solo', amount: 1, event: 1, at: now },
        ],
      },
    });
  });

  it('is accepted after an override of the hard limit, and after the removal of a site', () => {
    const full = [founded, on('second/solo'), bought(1, 'additionalContentSection'), siteAdded(shop, 'shop.test')];
    const more = add(blog, 'blog.test');
    const removed = { type: 'SiteRemoved', data: { site: shop } } as const;
    expect(given(...full, overridden).when(more)).toEqual([siteAdded(blog, 'blog.test')]);
    expect(given(...full, removed).when(more)).toEqual([siteAdded(blog, 'blog.test')]);
    expect(given(...full, removed).when(add(blog, 'shop.test'))).toEqual([siteAdded(blog, 'shop.test')]);
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(add(shop, 'shop.test'), founded)).toEqual(stewardNames);
    expect(whenClosed(add(shop, 'shop.test'))).toBe('organization-closed');
  });
});
