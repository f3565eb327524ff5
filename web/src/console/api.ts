import type {
  Catalogue,
  Entitlements,
  OrganizationDocument,
  OrganizationPage,
  OwnAccount,
  SessionPage,
} from '@charter/client';
import { type BaseQueryFn, createApi } from '@reduxjs/toolkit/query/react';
import type { AxiosError, AxiosRequestConfig } from 'axios';
import { http } from '../http';
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
    const { data } = await (await http()).request<unknown>(request);
    return { data: data === '' ? null : data };
  } catch (error) {
    const trouble = callFailureOf(error as AxiosError);
    // 401 means that the session has ended; a wrong password gets 403
    if (trouble.status === 401) redirectToLogin(window);
    return { error: trouble };
  }
};

export type PasswordChange = () => { current: string; password: string };

export const api = createApi({
  baseQuery: throughAxios,
  tagTypes: ['sessions'],
  refetchOnFocus: true,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    me: build.query<OwnAccount, undefined>({ query: () => ({ url: '/api/v1/me' }) }),
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
    organization: build.query<OrganizationDocument, string>({
      query: (id) => ({ url: `/api/v1/organizations/${id}` }),
    }),
    entitlements: build.query<Entitlements, string>({
      query: (id) => ({ url: `/api/v1/organizations/${id}/entitlements` }),
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
  useOrganizationsQuery,
  useOrganizationQuery,
  useEntitlementsQuery,
  useCatalogueQuery,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
} = api;
