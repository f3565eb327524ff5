import type { DirectCommand } from '../../commands/own-routes';
import type { HostnameList } from './AddEntryDialog';

/** A list of hostnames, with its commands and its words. */
export type ChangedList = HostnameList &
  Readonly<{
    remove: 'RemoveSite' | 'RemoveQualityAssuranceDomain' | 'RemoveWebAnalyticsDomain';
    /** The message ids of the button that adds an entry, and of the effect of a removal. */
    add: string;
    effect: string;
  }>;

/** The commands and words of a list without its limit, because the page of the list adds the limit. */
type ListChanges = Omit<ChangedList, 'resource'>;

export const siteChanges: ListChanges = {
  command: 'AddSite',
  remove: 'RemoveSite',
  title: 'sites.add.title',
  add: 'sites.add',
  effect: 'sites.remove.effect',
};

const ofDomains = { title: 'domains.add.title', add: 'domains.add', effect: 'domains.remove.effect' };

export const domainChanges: Readonly<Record<'qualityAssurance' | 'webAnalytics', ListChanges>> = {
  qualityAssurance: {
    ...ofDomains,
    command: 'AddQualityAssuranceDomain',
    remove: 'RemoveQualityAssuranceDomain',
  },
  webAnalytics: {
    ...ofDomains,
    command: 'AddWebAnalyticsDomain',
    remove: 'RemoveWebAnalyticsDomain',
  },
};

/** The command that removes an entry from its list. */
export const removalOf = ({ remove }: Pick<ChangedList, 'remove'>, entry: string): DirectCommand =>
  remove === 'RemoveSite' ? { type: remove, data: { site: entry } } : { type: remove, data: { domain: entry } };
