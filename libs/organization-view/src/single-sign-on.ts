import type { OrganizationQuery } from './organization-query';

/** The organization's OpenID Connect provider, null while none is configured, and the addresses to register there. */
export const singleSignOn =
  (addresses: Readonly<{ callback: string; start: string }>): OrganizationQuery<object> =>
  ({ state }) => ({
    issuer: state.singleSignOn?.issuer ?? null,
    clientId: state.singleSignOn?.clientId ?? null,
    ...addresses,
  });
