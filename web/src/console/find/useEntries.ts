import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useEntitlementsQuery, useOrganizationQuery, useOrganizationsQuery, useStandingQuery } from '../api';
import { byLastVisit } from '../last-organizations';
import { PRESENT } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import { organizationPages } from '../organization/organization-pages';
import { useWords } from '../words';
import { type FoundEntry, parsedSearch } from './found';

const SEARCH_AFTER_MS = 150;

type Searched = Readonly<{
  organization: string | undefined;
  search: string;
  actions: readonly FoundEntry[];
  onlyOrganizations: boolean;
}>;

/** All entries that the text can find: those of the open organization, organizations by name or id, and actions. */
export function useEntries({
  organization,
  search: typed,
  actions,
  onlyOrganizations,
}: Searched): readonly FoundEntry[] {
  const { kind, search } = parsedSearch(typed);
  const ofOrganization = useOrganizationEntries(organization, kind === 'event' ? search : '');
  // The URL of a request must not contain an e-mail address.
  const organizations = useOrganizationSearch(kind === 'all' && !search.includes('@') ? search : '');
  if (onlyOrganizations) return organizations;
  if (kind === 'action') return actions;
  if (kind === 'event') return ofOrganization.events;
  if (kind === 'person') return ofOrganization.members;
  return [...ofOrganization.pages, ...organizations, ...ofOrganization.members, ...ofOrganization.sites, ...actions];
}

/** The pages, members and sites of the open organization, and the event whose number the person typed. */
function useOrganizationEntries(id: string | undefined, number: string) {
  const navigate = useNavigate();
  const { text, name } = useWords();
  const { moment, kept } = usePageMoment();
  const skip = { skip: id === undefined };
  const { data: standing } = useStandingQuery(id ?? '', skip);
  const { data: document } = useOrganizationQuery({ id: id ?? '', moment }, skip);
  const { data: present } = useEntitlementsQuery({ id: id ?? '', moment: PRESENT }, skip);
  const pages = organizationPages.filter(({ reads }) => reads === undefined || standing?.reads.includes(reads));
  const open = (path: string) => () => void navigate({ pathname: `/org/${id}/${path}`, search: kept });
  const has = (path: string) => pages.some((page) => page.path === path);
  const isEvent = /^\d{1,9}$/.test(number) && present !== undefined && Number(number) <= present.revision;
  if (id === undefined) return { pages: [], members: [], sites: [], events: [] };
  return {
    pages: pages.map((page): FoundEntry => ({
      id: page.path,
      group: 'find.pages',
      title: text(page.name),
      open: open(page.path),
    })),
    members: has('members')
      ? (document?.members ?? []).map(({ _id, role }): FoundEntry => ({
          ...{ id: `member-${_id}`, group: 'find.members', title: name(role), detail: _id },
          open: open(`members/${_id}`),
        }))
      : [],
    sites: has('sites')
      ? (document?.sites ?? []).map(({ _id, name: title, unicode }): FoundEntry => ({
          ...{ id: `site-${_id}`, group: 'find.sites', title: title || unicode, detail: `${unicode} ${_id}` },
          open: open(`sites/${_id}`),
        }))
      : [],
    events:
      isEvent && has('history')
        ? [{ id: 'event', group: 'find.events', title: `#${Number(number)}`, open: open(`history/${Number(number)}`) }]
        : [],
  };
}

/** The organizations that the service finds for the text. Without a text, the first organizations of the list. */
function useOrganizationSearch(search: string): readonly FoundEntry[] {
  const navigate = useNavigate();
  const settled = useSettled(search);
  const { data } = useOrganizationsQuery({ q: settled, cursor: '' });
  return byLastVisit(data?.organizations ?? []).map(({ id, name }) => ({
    ...{ id: `organization-${id}`, group: 'find.organizations', title: name, detail: id },
    open: () => void navigate(`/org/${id}/overview`),
  }));
}

/** Returns a new value only after it has not changed for a short time. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
