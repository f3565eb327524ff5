import type { VerifiedDomainPage } from '@charter/client';
import { api, type OrganizationAt } from '../../../api';

/** The query is in a file of its own, because only the section "E-mail domains" needs it. */
export const { useEmailDomainPagesInfiniteQuery } = api.injectEndpoints({
  endpoints: (build) => ({
    emailDomainPages: build.infiniteQuery<VerifiedDomainPage, OrganizationAt, string>({
      providesTags: ['rows'],
      infiniteQueryOptions: { initialPageParam: '', getNextPageParam: ({ next }) => next ?? undefined },
      query: ({ queryArg: { id, moment }, pageParam: cursor }) => ({
        url: `/api/v1/organizations/${id}/verified-domains`,
        params: { ...moment, limit: '100', ...(cursor && { cursor }) },
      }),
    }),
  }),
});
