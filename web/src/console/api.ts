import type {
  Catalogue,
  Entitlements,
  EventPage,
  OrganizationDocument,
  OrganizationPage,
  OwnAccount,
  SessionPage,
  Standing,
  Steps,
} from '@charter/client';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import type { AxiosError, AxiosRequestConfig } from 'axios';
import { http } from '../http';
import type { PageMoment } from './moment/page-moment';
import { sendLogged } from './requests/send-logged';
import { redirectToLogin } from './sign-out-redirect';
import { type CallFailure, callFailureOf } from './problem';

type Call = Readonly<{
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  params?: Readonly<Record<string, string>>;
  /** Returns the body just before the request, so that neither an action nor the store contains it. */
  ask?: () => object;
}>;

/**
 * Calls the public HTTP interface; the console uses no other interface. After a 401, the browser opens the log-in page.
 */
const throughAxios: BaseQueryFn<Call, unknown, CallFailure> = async (
  { url, method = 'GET', params, ask },
  { signal },
) => {
  const request: AxiosRequestConfig = { url, method, signal };
  if (params) request.params = params;
  if (ask) request.data = ask();
  try {
    const { data } = await sendLogged(await http(), request);
    return { data: data === '' ? null : data };
  } catch (error) {
    const trouble = callFailureOf(error as AxiosError);
    // 401 means that the session has ended; a wrong password gets 403
    if (trouble.status === 401) redirectToLogin(window);
    return { error: trouble };
  }
};

/** An organization at a moment. Every query of a page names its moment, so none shows the present by accident. */
export type OrganizationAt = Readonly<{ id: string; moment: PageMoment }>;

export type PasswordChange = () => { current: string; password: string };

export const api = createApi({
  baseQuery: throughAxios,
  tagTypes: ['me', 'sessions'],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    me: build.query<OwnAccount, undefined>({ query: () => ({ url: '/api/v1/me' }), providesTags: ['me'] }),
    acceptMembership: build.mutation<unknown, string>({
      query: (id) => ({ url: `/api/v1/me/organizations/${id}/accept`, method: 'POST' }),
      invalidatesTags: ['me'],
    }),
    organizations: build.query<OrganizationPage, Readonly<{ q: string; cursor: string }>>({
      query: ({ q, cursor }) => ({
        url: '/api/v1/organizations',
        params: { limit: '100', ...(q && { q }), ...(cursor && { cursor }) },
      }),
      // The cache contains one list for each search text. Each fetched page is appended to its list.
      serializeQueryArgs: ({ queryArgs: { q } }) => q,
      merge: (shown, page, { arg: { cursor } }) =>
        cursor ? { organizations: [...shown.organizations, ...page.organizations], next: page.next } : page,
      forceRefetch: ({ currentArg, previousArg }) => currentArg?.cursor !== previousArg?.cursor,
    }),
    organization: build.query<OrganizationDocument, OrganizationAt>({
      query: ({ id, moment }) => ({ url: `/api/v1/organizations/${id}`, params: { ...moment } }),
    }),
    entitlements: build.query<Entitlements, OrganizationAt>({
      query: ({ id, moment }) => ({ url: `/api/v1/organizations/${id}/entitlements`, params: { ...moment } }),
    }),
    standing: build.query<Standing, string>({ query: (id) => ({ url: `/api/v1/organizations/${id}/standing` }) }),
    steps: build.query<Steps, Readonly<{ id: string; from: number }>>({
      query: ({ id, from }) => ({ url: `/api/v1/organizations/${id}/steps`, params: { from: String(from) } }),
    }),
    event: build.query<EventPage, Readonly<{ id: string; revision: number }>>({
      query: ({ id, revision }) => ({
        url: `/api/v1/organizations/${id}/events`,
        params: { from: String(revision), to: String(revision) },
      }),
    }),
    catalogue: build.query<Catalogue, undefined>({ query: () => ({ url: '/api/v1/catalogue' }) }),
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
  useAcceptMembershipMutation,
  useOrganizationsQuery,
  useOrganizationQuery,
  useEntitlementsQuery,
  useEventQuery,
  useStandingQuery,
  useCatalogueQuery,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
} = api;
