import type { Folded } from '@charter/decider';
import { type Organization, type OrganizationEvent, SiteFeature, siteFeaturesOf } from '@charter/organization';
import fc from 'fast-check';
import { anyLife } from '../../../organization/src/testing/any-history.testing';
import { blog, closed, ended, now, on, shop, siteAdded } from '../../../organization/src/testing/organization.testing';
import { foldedAcme } from '../folded.testing';
import { publicDocument } from '../public-document';
import { oneSite } from './one-site';

const changed = (features: object): OrganizationEvent => ({
  type: 'SiteFeaturesChanged',
  data: { site: shop, features },
});
const switchOf = (feature: SiteFeature, ...events: OrganizationEvent[]) =>
  oneSite('acme', shop)(foldedAcme(siteAdded(shop, 'shop.test'), ...events), now)?.features[feature];

describe('One site', () => {
  it("names the event that set the site's own value of a feature, until the value changes", () => {
    expect(
      switchOf('logo', on('second/solo'), changed({ logo: false }), changed({ logo: false, reports: true })),
    ).toEqual({ on: false, because: 'site', event: 3, at: now });
    expect(switchOf('reports', changed({ logo: false }), changed({ logo: false, reports: true }))).toMatchObject({
      ...{ on: true, because: 'site', event: 3 },
    });
    expect(switchOf('logo', changed({ logo: false }), changed({}), changed({ logo: false }))).toMatchObject({
      event: 4,
    });
  });

  it('names the plan as the reason of a feature; without a plan, the end of the last plan or the founding', () => {
    expect(switchOf('logo', on('second/solo'))).toEqual({ on: true, because: 'plan', event: 2, at: now });
    expect(switchOf('reports', on('second/solo'))).toEqual({ on: false, because: 'plan', event: 2, at: now });
    expect(switchOf('logo', on('second/solo'), on('second/teams'))).toMatchObject({ on: true, event: 3 });
    expect(switchOf('logo', on('second/solo'), ended('second'))).toMatchObject({
      on: false,
      because: 'plan',
      event: 3,
    });
    expect(switchOf('logo')).toMatchObject({ on: false, because: 'plan', event: 0 });
  });

  it('names the closing of the organization before any other reason', () => {
    const own = [on('second/solo'), changed({ logo: true })];
    expect(switchOf('logo', ...own, closed)).toEqual({ on: false, because: 'closed', event: 4, at: now });
  });

  it('has the same features as the document, for the sites of any history', () => {
    fc.assert(
      fc.property(anyLife, ({ scenes }) => {
        for (const { after, revision, context } of scenes) {
          const current: Folded<Organization> = { state: after, revision, at: context.at };
          for (const printed of publicDocument('acme', 'pulse')(current, context.at).sites) {
            const { features, ...site } = oneSite('acme', printed._id)(current, context.at)!;
            expect({ ...site, features: siteFeaturesOf(printed._id, after) }).toMatchObject(printed);
            const on = Object.fromEntries(SiteFeature.options.map((feature) => [feature, features[feature].on]));
            expect(on).toEqual(printed.features);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('is null if the organization has no such site', () => {
    const current = foldedAcme(siteAdded(shop, 'shop.test'));
    expect(oneSite('acme', blog)(current, now)).toBeNull();
    expect(oneSite('acme', 'constructor')(current, now)).toBeNull();
  });
});
