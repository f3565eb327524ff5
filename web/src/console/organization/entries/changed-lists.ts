import type { Standing } from '@charter/client';
import type { HostnameList } from './AddEntryDialog';

/** A list of hostnames, with its commands and its words. */
export type ChangedList = HostnameList &
  Readonly<{
    /** The command that removes an entry. */
    remove: Standing['may'][number];
    /** The message ids of the button that adds an entry, and of the effect of a removal. */
    add: string;
    effect: string;
  }>;

/** The changes of a list, without its limit: the page of the list names the limit. */
type Changes = Omit<ChangedList, 'resource'>;

export const siteChanges: Changes = {
  command: 'AddSite',
  remove: 'RemoveSite',
  path: '/sites',
  title: 'sites.add.title',
  add: 'sites.add',
  effect: 'sites.remove.effect',
};

const ofDomains = { title: 'domains.add.title', add: 'domains.add', effect: 'domains.remove.effect' };

export const domainChanges: Readonly<Record<'qualityAssurance' | 'webAnalytics', Changes>> = {
  qualityAssurance: {
    ...ofDomains,
    command: 'AddQualityAssuranceDomain',
    remove: 'RemoveQualityAssuranceDomain',
    path: '/quality-assurance/domains',
  },
  webAnalytics: {
    ...ofDomains,
    command: 'AddWebAnalyticsDomain',
    remove: 'RemoveWebAnalyticsDomain',
    path: '/web-analytics/domains',
  },
};
