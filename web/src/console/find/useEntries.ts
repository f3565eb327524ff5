import { useNavigate } from 'react-router-dom';
import {
  useEntitlementsQuery,
  useMemberPagesInfiniteQuery,
  useOrganizationPagesInfiniteQuery,
  useOrganizationQuery,
  useStandingQuery,
} from '../api';
import { afterLastVisited, byLastVisit } from '../last-organizations';
import { PRESENT } from '../moment/page-moment';
import { usePageMoment } from '../moment/usePageMoment';
import { organizationPages } from '../organization/organization-pages';
import { useConsoleConfig } from '../page-config-context';
import { requestKeyPress } from '../page-parts/requested-key';
import { useSettled } from '../page-parts/useSettled';
import { useWords } from '../words';
import { type FoundEntry, parsedSearch } from './found';

/** The maximum length of a search text that the service accepts. */
const SEARCHED_MAX = 200;

/**
 * The changes that a person can begin in the search dialog: the page of each change, and the key that begins the change
 * on that page. A change without `right` is offered to each person who may make at least one change.
 */
const changes = [
  { id: 'invite', title: 'keys.invite', right: 'AddMember', page: 'members', key: 'i' },
  { id: 'add-site', title: 'keys.add-site', right: 'AddSite', page: 'sites', key: 'i' },
  { id: 'draft', title: 'drafting.start', right: undefined, page: 'overview', key: 'e' },
  { id: 'try', title: 'find.try', right: undefined, page: 'plan', key: undefined },
] as const;

type Searched = Readonly<{
  organization: string | undefined;
  search: string;
  actions: readonly FoundEntry[];
  onlyOrganizations: boolean;
  /** Called when the person chooses to search only organizations. */
  onAllOrganizations: () => void;
}>;

/** The browser's request for the entries of a group. */
type SearchRequest = Readonly<{
  /** The message id of the group's heading. */
  group: string;
  isLoading: boolean;
  error?: unknown;
  refetch: () => unknown;
}>;

type FoundEntries = Readonly<{
  entries: readonly FoundEntry[];
  /** How many seconds the list of organizations is behind the event log. */
  lagSeconds: number;
  requests: readonly SearchRequest[];
}>;

/**
 * All entries that a search text can find: entries of the open organization, organizations by name or id, and actions.
 */
export function useEntries({
  organization,
  search: typed,
  actions,
  onlyOrganizations,
  onAllOrganizations,
}: Searched): FoundEntries {
  const { text } = useWords();
  const { kind, search } = parsedSearch(typed);
  const ofOrganization = useOrganizationEntries(organization, kind === 'event' ? search : '');
  const isForPeople = kind === 'person' || (kind === 'all' && search !== '');
  const mayFindPeople = !onlyOrganizations && isForPeople && ofOrganization.hasMembers;
  const { members, request: memberRequest } = useMemberSearch(mayFindPeople ? organization : undefined, search);
  // The URL of a request contains neither an e-mail address nor a text that may name a member.
  const isSent = kind === 'all' && !search.includes('@') && (onlyOrganizations || organization === undefined);
  const {
    organizations,
    isComplete,
    lagSeconds,
    request: organizationRequest,
  } = useOrganizationSearch(isSent ? search : '');
  const found = (entries: readonly FoundEntry[], ...requests: readonly SearchRequest[]) => ({
    ...{ entries, lagSeconds, requests },
  });
  if (onlyOrganizations) return found(organizations, organizationRequest);
  const allActions = [...actions, ...ofOrganization.changes];
  if (kind === 'action') return found(allActions);
  if (kind === 'event') return found(ofOrganization.events, ...ofOrganization.rightsRequests);
  const memberRequests = mayFindPeople ? [memberRequest] : [];
  if (kind === 'person') return found(members, ...memberRequests);
  const everywhere: FoundEntry = {
    ...{ id: 'all-organizations', group: 'find.organizations', title: text('find.all-organizations', { search }) },
    ...{ keepsOpen: true, open: onAllOrganizations },
  };
  const others = isSent || isComplete || search === '' ? [] : [everywhere];
  const { pages, entries } = ofOrganization;
  const all = [...pages, ...organizations, ...others, ...members, ...entries, ...allActions];
  return found(all, ...memberRequests, organizationRequest);
}

/** The pages, sites, domains and changes of the open organization, and the event whose number the person typed. */
function useOrganizationEntries(id: string | undefined, number: string) {
  const navigate = useNavigate();
  const { text } = useWords();
  const { moment, kept } = usePageMoment();
  const skip = { skip: id === undefined };
  const { data: standing, isFetching, error, refetch } = useStandingQuery(id ?? '', skip);
  const { data: document } = useOrganizationQuery({ id: id ?? '', moment }, skip);
  const { data: present } = useEntitlementsQuery({ id: id ?? '', moment: PRESENT }, skip);
  const pages = organizationPages.filter(({ reads }) => reads === undefined || standing?.reads.includes(reads));
  const open = (path: string) => () => void navigate({ pathname: `/org/${id}/${path}`, search: kept });
  const has = (path: string) => pages.some((page) => page.path === path);
  const isEvent = /^\d{1,9}$/.test(number) && present !== undefined && Number(number) <= present.revision;
  const lists = has('domains') ? [document?.qualityAssurance, document?.webAnalytics] : [];
  const domains = lists.flatMap((list) => list?.domains ?? []);
  if (id === undefined)
    return { pages: [], hasMembers: false, entries: [], events: [], rightsRequests: [], changes: [] };
  /**
   * Opens a page without a past moment, and lets this page act as if the person had pressed the key of the change
   * there.
   */
  const change = (page: string, key: string | undefined) => {
    const path = `/org/${id}/${page}`;
    if (key !== undefined) requestKeyPress(path, key);
    void navigate(path);
  };
  return {
    pages: pages.map((page): FoundEntry => ({
      id: page.path,
      group: 'find.pages',
      title: text(page.name),
      open: open(page.path),
    })),
    hasMembers: has('members'),
    entries: [
      ...(has('sites') ? (document?.sites ?? []) : []).map(({ _id, name: title, unicode }): FoundEntry => ({
        ...{ id: `site-${_id}`, group: 'find.sites', title: title || unicode, detail: `${unicode} ${_id}` },
        open: open(`sites/${_id}`),
      })),
      ...domains.map(({ _id, unicode }): FoundEntry => ({
        ...{ id: `domain-${_id}`, group: 'find.domains', title: unicode, detail: _id },
        open: open('domains'),
      })),
    ],
    events:
      isEvent && has('history')
        ? [{ id: 'event', group: 'find.events', title: `#${Number(number)}`, open: open(`history/${Number(number)}`) }]
        : [],
    rightsRequests: standing ? [] : [{ group: 'find.events', isLoading: isFetching, error, refetch }],
    changes: changes
      .filter(({ right }) => (right === undefined ? standing?.may.length : standing?.may.includes(right)))
      .map(({ id: name, title, page, key }): FoundEntry => ({
        ...{ id: name, group: 'find.actions', title: text(title) },
        open: () => change(page, key),
      })),
  };
}

/**
 * The members whom the service finds by a name, an e-mail address or an id. The body of the request contains the search
 * text.
 */
function useMemberSearch(id: string | undefined, search: string) {
  const navigate = useNavigate();
  const { name: roleName } = useWords();
  const { moment, kept } = usePageMoment();
  const typed = search.slice(0, SEARCHED_MAX);
  const q = useSettled(typed);
  const wanted = { id: id ?? '', moment, q, role: '', state: '', sort: '' };
  const { data, currentData, isFetching, error, refetch } = useMemberPagesInfiniteQuery(wanted, {
    skip: id === undefined,
  });
  const isFound = q === typed && currentData !== undefined;
  const request = { group: 'find.members', isLoading: isFetching || q !== typed, error, refetch };
  const pages = id === undefined ? [] : (data?.pages ?? []);
  const found = pages.flatMap(({ members }) =>
    members.map(({ user, role, name, username, email }): FoundEntry => ({
      ...{ id: `member-${user}`, group: 'find.members', title: name ?? username ?? email ?? roleName(role) },
      ...{ detail: [email, user].filter(Boolean).join(' '), ...(isFound && { isFound }) },
      open: () => void navigate({ pathname: `/org/${id}/members/${user}`, search: kept }),
    })),
  );
  return { members: found, request };
}

/** The organizations that the service finds for the text. Without a text, the first organizations of the list. */
function useOrganizationSearch(search: string) {
  const navigate = useNavigate();
  const settled = useSettled(search);
  const { data, isFetching, error, refetch } = useOrganizationPagesInfiniteQuery(settled);
  const request = { group: 'find.organizations', isLoading: isFetching || settled !== search, error, refetch };
  const listed = data?.pages.flatMap(({ organizations }) => organizations) ?? [];
  const last = data?.pages.at(-1);
  const { account } = useConsoleConfig().facts;
  const sorted = search === '' ? afterLastVisited(account, listed) : byLastVisit(account, listed);
  const organizations = sorted.map(({ id, name }): FoundEntry => ({
    ...{ id: `organization-${id}`, group: 'find.organizations', title: name, detail: id },
    open: () => void navigate(`/org/${id}/overview`),
  }));
  return { organizations, isComplete: last?.next === null, lagSeconds: last?.lagSeconds ?? 0, request };
}
