import type {
  Catalogue,
  Checkout,
  Difference,
  Entitlements,
  EventPage,
  Names,
  MemberPage,
  NewCheckout,
  NotificationRecipients,
  OrganizationDocument,
  OrganizationPage,
  OwnAccount,
  Preview,
  Readers,
  Receipt,
  SessionPage,
  SingleSignOn,
  Site,
  SitePage,
  Standing,
  Steps,
  ValueChanges,
  Timeline,
  Undo,
} from '@charter/client';
import { createApi } from '@reduxjs/toolkit/query/react';
import type { DraftCommand } from './draft/address/draft-address';
import type { UndoneEvents } from './draft/undo/undo-request';
import { isPastMoment, type PageMoment } from './moment/page-moment';
import { type AnswerMeta, callService } from './requests/call-service';

/**
 * An organization at a moment. Every query of a page must name a moment, so that no query shows the present by
 * accident.
 */
export type OrganizationAt = Readonly<{ id: string; moment: PageMoment }>;

/** The filter and the order of a list of members, as parameters of the API. An empty text does not filter. */
export type MemberListRequest = OrganizationAt & Readonly<{ q: string; role: string; state: string; sort: string }>;

/** The request for all members, in the default order. */
export const everyMember = { q: '', role: '', state: '', sort: '' } as const;

/**
 * A list of commands with its `Idempotency-Key`. The service derives the ids of new entries, such as sites and
 * purchases, from this key. A preview and its commit therefore send the same `Idempotency-Key`.
 */
export type KeyedCommands = Readonly<{ id: string; commands: readonly DraftCommand[]; key: string }>;

/** A checkout of an organization, identified by the id of the checkout session at the payment provider. */
export type CheckoutOf = Readonly<{ id: string; session: string }>;

/** The choices that the account stores. */
type Preferences = Readonly<{ language: string; timeZone: string; keys: boolean }>;

export type PasswordChange = () => { current: string; password: string };

/** One request that changes an organization. */
export type OrganizationChange = Readonly<{
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after `/api/v1/organizations/:id`, for example `/members`; empty for the organization itself. */
  path: string;
  /** Returns the body of the request, which can contain an e-mail address or a secret. */
  ask?: () => object;
}>;
type SentChange = OrganizationChange &
  Readonly<{
    id: string;
    /** The `Idempotency-Key` of the person's intent. A repetition of the request has the same key. */
    key: string;
    /**
     * The revision of the organization that the page showed. The service refuses the change if the organization has a
     * newer revision.
     */
    revision: number | undefined;
  }>;

/** How a query reads the pages of a list: each page but the last one has the cursor of the next page. */
const pages = {
  initialPageParam: '',
  getNextPageParam: ({ next }: Readonly<{ next: string | null }>) => next ?? undefined,
};

export const api = createApi({
  baseQuery: callService,
  tagTypes: ['me', 'sessions', 'counts', 'rows'],
  refetchOnReconnect: true,
  endpoints: (build) => ({
    me: build.query<OwnAccount, undefined>({ query: () => ({ url: '/api/v1/me' }), providesTags: ['me'] }),
    /** The receipt of a change. Some routes answer without a revision, for example the routes of e-mail domains. */
    change: build.mutation<Partial<Receipt> | null, SentChange>({
      query: ({ id, method, path, ask, key, revision }) => ({
        ...{ url: `/api/v1/organizations/${id}${path}`, method },
        ...(ask && { ask }),
        headers: { 'Idempotency-Key': key, ...(revision !== undefined && { 'If-Match': `"${revision}"` }) },
      }),
      invalidatesTags: (_, error) => (error ? [] : ['me']),
    }),
    changePreferences: build.mutation<OwnAccount, Partial<Preferences>>({
      query: (preferences) => ({ url: '/api/v1/me', method: 'PATCH', ask: () => preferences }),
    }),
    acceptMembership: build.mutation<unknown, string>({
      query: (id) => ({ url: `/api/v1/me/organizations/${id}/accept`, method: 'POST' }),
      invalidatesTags: ['me'],
    }),
    /** The organizations whose name or id contains the text `q`, page by page; without a text, all organizations. */
    organizationPages: build.infiniteQuery<OrganizationPage & AnswerMeta, string, string>({
      infiniteQueryOptions: pages,
      query: ({ queryArg: q, pageParam: cursor }) => ({
        url: '/api/v1/organizations',
        params: { limit: '100', ...(q && { q }), ...(cursor && { cursor }) },
      }),
      transformResponse: (page: OrganizationPage, meta) => ({ ...page, lagSeconds: meta?.lagSeconds ?? 0 }),
    }),
    organization: build.query<OrganizationDocument, OrganizationAt>({
      query: ({ id, moment }) => ({ url: `/api/v1/organizations/${id}`, params: { ...moment } }),
      providesTags: ['rows'],
    }),
    entitlements: build.query<Entitlements, OrganizationAt>({
      query: ({ id, moment }) => ({ url: `/api/v1/organizations/${id}/entitlements`, params: { ...moment } }),
      // New events can change the limits in force at a moment. `LiveUpdates` loads the present entitlements again.
      providesTags: (_, __, { moment }) => (moment.valid ? ['rows'] : []),
    }),
    /**
     * The members, page by page. A search sends its text in the request's body, because the text may be a person's
     * name.
     */
    memberPages: build.infiniteQuery<MemberPage, MemberListRequest, string>({
      providesTags: ['rows'],
      infiniteQueryOptions: pages,
      query: ({ queryArg: { id, moment, q, role, state, sort }, pageParam: cursor }) => {
        const url = `/api/v1/organizations/${id}/members`;
        const filter = {
          ...(role && { role }),
          ...(state && { state }),
          ...(sort && { sort }),
          ...(cursor && { cursor }),
        };
        if (q === '') return { url, params: { ...moment, ...filter, limit: '100' } };
        return {
          url: `${url}/search`,
          method: 'POST',
          params: { ...moment },
          ask: () => ({ q, ...filter, limit: 100 }),
        };
      },
    }),
    sitePages: build.infiniteQuery<SitePage, OrganizationAt & Readonly<{ q: string; sort: string }>, string>({
      providesTags: ['rows'],
      infiniteQueryOptions: pages,
      query: ({ queryArg: { id, moment, q, sort }, pageParam: cursor }) => ({
        url: `/api/v1/organizations/${id}/sites`,
        params: { ...moment, ...(q && { q }), ...(sort && { sort }), ...(cursor && { cursor }), limit: '100' },
      }),
    }),
    site: build.query<Site, OrganizationAt & Readonly<{ site: string }>>({
      query: ({ id, site, moment }) => ({ url: `/api/v1/organizations/${id}/sites/${site}`, params: { ...moment } }),
      providesTags: ['rows'],
    }),
    recipients: build.query<NotificationRecipients, OrganizationAt>({
      query: ({ id, moment }) => ({
        url: `/api/v1/organizations/${id}/notification-recipients`,
        params: { ...moment },
      }),
      providesTags: ['rows'],
    }),
    singleSignOn: build.query<SingleSignOn, OrganizationAt>({
      query: ({ id, moment }) => ({ url: `/api/v1/organizations/${id}/single-sign-on`, params: { ...moment } }),
      providesTags: ['rows'],
    }),
    changes: build.infiniteQuery<ValueChanges, Readonly<{ id: string; path: string }>, string>({
      providesTags: ['rows'],
      infiniteQueryOptions: pages,
      query: ({ queryArg: { id, path }, pageParam: cursor }) => ({
        url: `/api/v1/organizations/${id}/changes`,
        params: { path, limit: '100', ...(cursor && { cursor }) },
        readsHistory: true,
      }),
    }),
    /** One page of the changes of a value, newest first. The first page has no cursor. */
    changePage: build.query<ValueChanges, Readonly<{ id: string; path: string; cursor: string }>>({
      query: ({ id, path, cursor }) => ({
        url: `/api/v1/organizations/${id}/changes`,
        params: { path, limit: '100', ...(cursor && { cursor }) },
        readsHistory: true,
      }),
    }),
    standing: build.query<Standing, string>({
      query: (id) => ({ url: `/api/v1/organizations/${id}/standing` }),
      providesTags: ['counts'],
    }),
    steps: build.query<Steps, Readonly<{ id: string; from: number }>>({
      query: ({ id, from }) => ({
        url: `/api/v1/organizations/${id}/steps`,
        params: { from: String(from) },
        readsHistory: true,
      }),
      keepUnusedDataFor: 0, // the caller caches the blocks itself
    }),
    event: build.query<EventPage, Readonly<{ id: string; revision: number }>>({
      query: ({ id, revision }) => ({
        url: `/api/v1/organizations/${id}/events`,
        params: { from: String(revision), to: String(revision) },
        readsHistory: true,
      }),
    }),
    /** The newest events of an actor, up to a revision if one is given. */
    actorEvents: build.query<EventPage, Readonly<{ id: string; actor: string; to?: number | undefined }>>({
      query: ({ id, actor, to }) => ({
        url: `/api/v1/organizations/${id}/events`,
        params: { actor, order: 'newest', limit: '20', ...(to !== undefined && { to: String(to) }) },
        readsHistory: true,
      }),
      providesTags: ['rows'],
    }),
    events: build.query<EventPage, Readonly<{ id: string; filter: Readonly<Record<string, string>> }>>({
      query: ({ id, filter }) => ({
        url: `/api/v1/organizations/${id}/events`,
        params: filter,
        readsHistory: true,
      }),
    }),
    difference: build.query<Difference, Readonly<{ id: string; from: string; to: string; valid?: string }>>({
      query: ({ id, ...ends }) => ({ url: `/api/v1/organizations/${id}/diff`, params: ends, readsHistory: true }),
    }),
    readers: build.query<Readers, Readonly<{ id: string; filter: Readonly<Record<string, string>> }>>({
      query: ({ id, filter }) => ({
        url: `/api/v1/organizations/${id}/readers`,
        params: filter,
        readsHistory: true,
      }),
    }),
    timeline: build.query<Timeline, Readonly<{ id: string; axis: 'event' | 'time' }>>({
      query: ({ id, axis }) => ({
        url: `/api/v1/organizations/${id}/timeline`,
        params: axis === 'event' ? {} : { axis },
        readsHistory: true,
      }),
      providesTags: ['counts'],
    }),
    /**
     * Reads the names of people. The body of the request contains their ids, so that no log of URLs contains these ids.
     */
    names: build.query<Names, Readonly<{ id: string; ids: readonly string[] }>>({
      query: ({ id, ids }) => ({ url: `/api/v1/organizations/${id}/names`, method: 'POST', ask: () => ({ ids }) }),
    }),
    catalogue: build.query<Catalogue, undefined>({ query: () => ({ url: '/api/v1/catalogue' }) }),
    preview: build.query<Preview, KeyedCommands & Readonly<{ moment: PageMoment }>>({
      query: ({ id, commands, key, moment }) => ({
        url: `/api/v1/organizations/${id}/preview`,
        method: 'POST',
        params: { lenient: 'true', ...moment },
        headers: { 'Idempotency-Key': key },
        ask: () => ({ commands }),
        readsHistory: isPastMoment(moment),
      }),
      providesTags: ['rows'],
      keepUnusedDataFor: 0, // if the person opens a preview again, the service computes it again
    }),
    /** The commands that undo events. The service computes these commands, and executes none of them. */
    undo: build.query<Undo, Readonly<{ id: string; request: UndoneEvents }>>({
      query: ({ id, request }) => ({
        url: `/api/v1/organizations/${id}/undo`,
        method: 'POST',
        ask: () => request,
        readsHistory: true,
      }),
      keepUnusedDataFor: 0,
    }),
    /** Starts a checkout for exactly the commands that a preview has shown. Charter executes none of them. */
    startCheckout: build.mutation<NewCheckout, KeyedCommands & Readonly<{ shown: string }>>({
      query: ({ id, commands, shown, key }) => ({
        url: `/api/v1/organizations/${id}/checkout`,
        method: 'POST',
        headers: { 'Idempotency-Key': key },
        ask: () => ({ commands, shown }),
      }),
    }),
    /** The state of a checkout. New events of the organization make the state of a checkout stale. */
    checkout: build.query<Checkout, CheckoutOf>({
      query: ({ id, session }) => ({ url: `/api/v1/organizations/${id}/checkout/${session}` }),
      providesTags: ['counts'],
    }),
    sessions: build.query<SessionPage, undefined>({
      query: () => ({ url: '/api/v1/me/sessions' }),
      providesTags: ['sessions'],
    }),
    endSession: build.mutation<unknown, string>({
      query: (id) => ({ url: `/api/v1/me/sessions/${id}`, method: 'DELETE' }),
      invalidatesTags: ['sessions'],
    }),
    endOtherSessions: build.mutation<unknown, () => { password: string }>({
      query: (ask) => ({ url: '/api/v1/me/sessions/end-others', method: 'POST', ask }),
      invalidatesTags: ['sessions'],
    }),
    changePassword: build.mutation<unknown, PasswordChange>({
      query: (ask) => ({ url: '/api/v1/me/password', method: 'PUT', ask }),
      invalidatesTags: ['sessions'],
    }),
  }),
});

export const {
  useMeQuery,
  useChangeMutation,
  useChangePreferencesMutation,
  useAcceptMembershipMutation,
  useOrganizationPagesInfiniteQuery,
  useOrganizationQuery,
  useEntitlementsQuery,
  useEventQuery,
  useActorEventsQuery,
  useEventsQuery,
  useDifferenceQuery,
  useStandingQuery,
  useMemberPagesInfiniteQuery,
  useSitePagesInfiniteQuery,
  useSiteQuery,
  useRecipientsQuery,
  useSingleSignOnQuery,
  useChangesInfiniteQuery,
  useReadersQuery,
  useTimelineQuery,
  useCatalogueQuery,
  usePreviewQuery,
  useUndoQuery,
  useStartCheckoutMutation,
  useCheckoutQuery,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
} = api;
