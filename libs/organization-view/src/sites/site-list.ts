import type { Immutable } from '@charter/decider';
import { siteDefaultsOf, siteFeaturesOf } from '@charter/organization';
import { z } from 'zod';
import { At, Revision } from '../answer-fields';
import { byText, isMatch, type PageEnd, pageOf } from '../lists/page-of';
import type { OrganizationQuery } from '../organization-query';
import { listedSite, siteOf } from '../public-document';

export const SiteSort = z.enum(['name', 'hostname', '-since']);
export type SiteSort = z.infer<typeof SiteSort>;

/** A page of the sites whose name or hostname contains a text. */
export const SitesPart = z.strictObject({
  ...{ organization: z.guid(), revision: Revision, at: At },
  sites: z.array(listedSite),
  next: z.tuple([z.int().min(0), z.guid()]).nullable(),
  inAll: z.int().min(0).meta({ description: 'The number of sites that match the filter' }),
});
export type SitesPart = Immutable<z.infer<typeof SitesPart>>;

export type SitesWanted = Readonly<{
  q?: string | undefined;
  sort: SiteSort;
  after: PageEnd | undefined;
  limit: number;
}>;

type SiteRow = ReturnType<typeof siteOf>;
const idOf = ({ _id }: SiteRow) => _id;
const orders: Readonly<Record<SiteSort, (one: SiteRow, other: SiteRow) => number>> = {
  name: byText(({ name, unicode }) => name || unicode, idOf),
  hostname: byText(({ unicode }) => unicode, idOf),
  '-since': (one, other) => other.since.event - one.since.event,
};

/**
 * One page of the sites that match the filter, in the requested order. Each site has the fields that the document of
 * the organization prints.
 */
export const siteList =
  (organization: string, { q, sort, after, limit }: SitesWanted): OrganizationQuery<SitesPart> =>
  ({ state, revision, at }) => {
    const all = Object.keys(state.sites)
      .map((site) => siteOf(site, state))
      .filter(({ _id, hostname, unicode, name }) => !q || _id === q || isMatch(q, [hostname, unicode, name]))
      .sort(orders[sort]);
    const { rows, next, inAll } = pageOf(all, { after, limit }, idOf);
    const defaults = siteDefaultsOf(state);
    const sites = rows.map((site) => ({ ...site, features: siteFeaturesOf(site._id, state), ...defaults }));
    return { organization, revision, at, sites, next: next && [...next], inAll };
  };
