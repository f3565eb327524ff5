import type { Immutable } from '@charter/decider';
import { each, siteDefaultsOf, SiteFeature, siteSwitchesOf, siteSwitchReasons } from '@charter/organization';
import { z } from 'zod';
import { At, Revision } from '../answer-fields';
import type { OrganizationQuery } from '../organization-query';
import { siteFields, siteOf } from '../public-document';

const Switch = z.strictObject({ on: z.boolean(), because: z.enum(siteSwitchReasons), event: Revision, at: At }).meta({
  id: 'SiteSwitch',
  description:
    'Whether a feature of a site is on, whether the site, the plan or a closing decides this, and the event behind the decision',
});

const exampleSwitch = { on: true, because: 'plan', event: 1, at: '2026-11-01T00:00:00.000Z' } as const;

/** The answer of `GET /api/v1/organizations/:id/sites/:site`. */
export const SiteAnswer = z
  .strictObject({
    ...{ organization: z.guid(), revision: Revision, at: At },
    ...siteFields,
    features: z.strictObject(each(SiteFeature.options, () => Switch)),
  })
  .meta({
    id: 'Site',
    examples: [
      {
        ...{ organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', revision: 4, at: '2026-11-21T10:00:00.000Z' },
        ...{ _id: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11', hostname: 'xn--mnchen-3ya.de', unicode: 'münchen.de' },
        ...{ name: 'Shop', report: { weekly: false, monthly: true }, live: true },
        since: { event: 2, at: '2026-11-03T00:00:00.000Z' },
        features: each(SiteFeature.options, () => exampleSwitch),
      },
    ],
  });
export type SiteAnswer = Immutable<z.infer<typeof SiteAnswer>>;

/** One site with the reason of each feature; null if the organization has no such site. */
export const oneSite =
  (organization: string, site: string): OrganizationQuery<SiteAnswer | null> =>
  ({ state, revision, at }) =>
    Object.hasOwn(state.sites, site)
      ? {
          ...{ organization, revision, at },
          ...{ ...siteOf(site, state), ...siteDefaultsOf(state) },
          features: siteSwitchesOf(site, state),
        }
      : null;
