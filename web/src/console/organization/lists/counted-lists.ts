import type { Entitlements } from '@charter/client';
import type { DocumentList } from '../../document-lists';

type CountedList = Readonly<{ limit: keyof Entitlements['limits']; page: string }>;

/** The limit and the page of each list that the console has a page for; the limit counts the list's entries. */
export const countedLists = {
  members: { limit: 'users', page: 'members' },
  sites: { limit: 'contentSections', page: 'sites' },
  qualityAssurance: { limit: 'qualityAssuranceDomains', page: 'domains' },
  webAnalytics: { limit: 'webAnalyticsDomains', page: 'domains' },
} as const satisfies { readonly [List in DocumentList]?: CountedList };

/** The list whose entries a limit counts; undefined if the console has no page for such a list. */
export const listOfLimit = (limit: string): keyof typeof countedLists | undefined =>
  lists.find((list) => countedLists[list].limit === limit);
const lists = Object.keys(countedLists) as readonly (keyof typeof countedLists)[];
