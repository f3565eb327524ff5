import { words } from '@charter/organization';
import { type PageEnd, SiteSort, SitesPart } from '@charter/organization-view';
import { z } from 'zod';
import { cursorsOf, PageLimit, SearchParam } from '../../http/input/paging';
import { WhenQuery } from '../organization.requests';

const cursors = cursorsOf(z.tuple([SiteSort, z.int().min(0), words.Id]), 200);
export const sitesCursor = (sort: SiteSort, next: PageEnd | null): string | null => next && cursors.at([sort, ...next]);

/** The requested page of sites, and the point in time of the query. */
export const SitesQuery = WhenQuery.extend({
  q: SearchParam.optional(),
  sort: SiteSort.default('name'),
  cursor: cursors.Cursor.optional(),
  limit: PageLimit,
}).refine(({ cursor, sort }) => cursor === undefined || cursor[0] === sort, {
  path: ['cursor'],
  message: 'belongs to a list in another order',
});
export type SitesQuery = z.infer<typeof SitesQuery>;

/** The answer of `GET /api/v1/organizations/:id/sites`. */
export const SitePage = SitesPart.extend({ next: z.string().nullable() }).meta({
  id: 'SitePage',
  examples: [
    {
      ...{ organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', revision: 4, at: '2026-11-21T10:00:00.000Z' },
      ...{ sites: [], next: null, inAll: 0 },
    },
  ],
});
