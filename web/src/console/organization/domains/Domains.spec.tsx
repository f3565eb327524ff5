import { screen, within } from '@testing-library/react';
import { NORTHWIND, sampleEntitlements } from '../../../../../test/journeys/pages/samples';
import { saying } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';

const list = (name: string) => within(screen.getByRole('region', { name }));

describe('The domains page', () => {
  it('shows each list with its limit, and a hostname in its ASCII and Unicode forms if they differ', async () => {
    await openOrganization('/domains');
    expect(await screen.findByText('münchen.example')).toBeVisible();
    expect(list('Web analytics domains').getByText('1 of 1,000')).toBeVisible();
    expect(list('Web analytics domains').getByText('xn--mnchen-3ya.example')).toBeVisible();
    expect(list('Web analytics domains').getAllByText('blog.northwind.example')).toHaveLength(1);
  });

  it('says why the feature of a list is off, and what would turn the feature on', async () => {
    await openOrganization('/domains');
    const qualityAssurance = await screen.findByRole('region', { name: 'Quality assurance domains' });
    expect(await within(qualityAssurance).findByText('Not in Pulse Teams', { selector: 'summary' })).toBeVisible();
    expect(within(qualityAssurance).getByText(/or the add-on Quality assurance would turn it on\.$/)).toBeVisible();
    expect(within(qualityAssurance).getByText('No domains yet.')).toBeVisible();
  });

  it('has a link to try each plan or add-on that would turn the feature on', async () => {
    await openOrganization('/domains');
    const qualityAssurance = within(await screen.findByRole('region', { name: 'Quality assurance domains' }));
    const link = await qualityAssurance.findByRole('link', { name: 'Try the add-on Quality assurance' });
    expect(link).toHaveAttribute('href', `/org/${NORTHWIND}/plan?try=qualityAssurance%3A1`);
    expect(list('Web analytics domains').queryByRole('link', { name: /^Try/ })).toBeNull();
  });

  it('has no link to try a plan that the organization already holds on other terms', async () => {
    const because = [{ kind: 'not-in-plan', what: 'second/enterprise', event: 1, at: '2025-02-03T09:00:00.000Z' }];
    const features = { ...sampleEntitlements.features, qualityAssurance: { on: false, because } };
    await openOrganization('/domains', ({ url }) =>
      url.endsWith('/entitlements') ? { status: 200, data: { ...sampleEntitlements, features } } : undefined,
    );
    const links = await list('Quality assurance domains').findAllByRole('link', { name: /^Try/ });
    expect(links.map(({ textContent }) => textContent)).toEqual(['Try Enterprise', 'Try the add-on Quality assurance']);
  });

  it('has no link to try a plan or an add-on while the page shows the past', async () => {
    await openOrganization('/domains?asOf=1191');
    expect(await list('Quality assurance domains').findByText(/would turn it on\.$/)).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Try/ })).toBeNull();
  });

  it("marks the domains that were removed since the page's moment or added later", async () => {
    await openOrganization('/domains?asOf=1191');
    const row = async (hostname: string) => within((await screen.findByText(hostname)).closest('li')!);
    expect((await row('news.northwind.example')).getByText('removed since')).toBeVisible();
    expect((await row('blog.northwind.example')).getByText('added later')).toBeVisible();
    expect((await row('münchen.example')).queryByText(/since|later/)).toBeNull();
  });

  it('shows the event that later removed a domain, and links from a later added domain to the present', async () => {
    await openOrganization('/domains?asOf=1191', ({ url, params }) =>
      url.endsWith('/changes') && params['path'] === '/webAnalytics/domains'
        ? { status: 200, data: { path: params['path'], changes: [removal], next: null } }
        : undefined,
    );
    const row = async (hostname: string) => within((await screen.findByText(hostname)).closest('li')!);
    expect(await (await row('news.northwind.example')).findByText(saying('#1,212 · Jul 3, 2026'))).toBeVisible();
    expect((await row('news.northwind.example')).getByText(/by billing$/)).toBeVisible();
    expect((await row('blog.northwind.example')).getByRole('link')).not.toHaveAttribute(
      'href',
      expect.stringContaining('asOf'),
    );
  });
});

const removal = {
  ...{ revision: 1212, type: 'WebAnalyticsDomainRemoved', at: '2026-07-03T09:00:00.000Z' },
  ...{ actor: { kind: 'billing', id: 'stripe' }, before: { d3: {} }, after: {} },
};
