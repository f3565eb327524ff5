import { z } from 'zod';
import { type Decision, noSuchSite } from '../decision';
import type { SiteFeatures } from '../terms';
import type { Organization } from '../state';
import { SiteFeature } from '../terms';
import { Id, listing } from '../words';

export const ChangeSiteFeatures = z.strictObject({
  site: Id,
  features: z.partialRecord(SiteFeature, z.boolean().nullable(), listing(SiteFeature.options)),
});
export type ChangeSiteFeatures = z.infer<typeof ChangeSiteFeatures>;

/**
 * Changes the named features of a site; null restores the plan's value of a feature. Earlier changes of other features
 * stay in force. The event contains all differences between the site and the plan (`decisions.md` 29).
 */
export function changeSiteFeatures({ site, features }: ChangeSiteFeatures, { sites }: Organization): Decision {
  const known = sites[site];
  if (!known) return noSuchSite;

  const merged: SiteFeatures = {};
  for (const feature of SiteFeature.options) {
    const wanted = features[feature] === undefined ? known.features[feature] : features[feature];
    if (typeof wanted === 'boolean') merged[feature] = wanted;
  }
  const same = SiteFeature.options.every((feature) => merged[feature] === known.features[feature]);
  return same ? [] : [{ type: 'SiteFeaturesChanged', data: { site, features: merged } }];
}
