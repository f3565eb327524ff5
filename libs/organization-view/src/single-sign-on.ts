import type { Immutable } from '@charter/decider';
import { z } from 'zod';
import type { OrganizationQuery } from './organization-query';

/** The answer of `GET /api/v1/organizations/:id/single-sign-on`. */
export const SingleSignOnAnswer = z
  .strictObject({
    issuer: z.string().nullable(),
    clientId: z.string().nullable(),
    callback: z.string(),
    start: z.string(),
  })
  .meta({
    id: 'SingleSignOn',
    examples: [
      {
        ...{ issuer: 'https://login.example.com', clientId: 'charter' },
        callback: 'https://charter.example.com/auth/sso/callback',
        start: 'https://charter.example.com/auth/sso/7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90',
      },
    ],
  });
export type SingleSignOnAnswer = Immutable<z.infer<typeof SingleSignOnAnswer>>;

/**
 * The organization's OpenID Connect provider, and the addresses that the organization must register at this provider.
 * Without a configured provider, `issuer` and `clientId` are null.
 */
export const singleSignOn =
  (addresses: Readonly<{ callback: string; start: string }>): OrganizationQuery<SingleSignOnAnswer> =>
  ({ state }) => ({
    issuer: state.singleSignOn?.issuer ?? null,
    clientId: state.singleSignOn?.clientId ?? null,
    ...addresses,
  });
