import { UnreadableStream } from '@charter/aggregates';
import type { Immutable } from '@charter/decider';
import type { Account } from '@charter/identity';
import { type Organization, organizationStream } from '@charter/organization';
import { accountMembershipsOf, type Charter } from '@charter/application';
import { ssoSecretInForce } from '../sso-settings/sso-secret';

/** An organization that has proven a domain, and the organization's choices for the domain. */
type TrustedDomain = Readonly<{ organization: string; automaticMembership: boolean; managed: boolean }>;

type TrustStores = Pick<Charter, 'database' | 'organizations'>;

/**
 * The organization that has proven the domain; undefined if there is none. Both the organization's stream and the table
 * of proven domains must name the organization. The stream alone does not show that another organization has the
 * domain. The table alone may contain a claim whose proof was never recorded. A closed organization has no trusted
 * domain. An organization whose history is unreadable has none either, because its provider can sign in no person.
 */
export async function trustedDomain(
  { database, organizations }: TrustStores,
  domain: string,
): Promise<TrustedDomain | undefined> {
  const row = await database.provenDomains.find(domain);
  if (!row) return undefined;
  const trusted = organizations.query(organizationStream(row.organization), ({ state }) => {
    const entry = state.closed ? undefined : emailDomainIn(state, domain);
    if (!entry?.proven) return undefined;
    const { automaticMembership, managed } = entry;
    return { organization: row.organization, automaticMembership, managed };
  });
  return unlessUnreadable(trusted, undefined);
}

/** Resolves with `otherwise` if the history is unreadable: such a history must block only its own organization. */
export const unlessUnreadable = <Answer>(pending: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
  pending.catch((error: unknown) => {
    if (error instanceof UnreadableStream) return otherwise;
    throw error;
  });

/** The domain in an organization's state; undefined if the organization has not claimed the domain. */
export const emailDomainIn = ({ emailDomains }: Immutable<Pick<Organization, 'emailDomains'>>, domain: string) =>
  Object.hasOwn(emailDomains, domain) ? emailDomains[domain] : undefined;

/** Returns whether the organization has proven the domain. If not, releases the organization's claim on the domain. */
export async function releaseUnlessProven(
  { organizations, database }: Pick<Charter, 'organizations' | 'database'>,
  organization: string,
  domain: string,
): Promise<boolean> {
  const isProven = await organizations.query(
    organizationStream(organization),
    ({ state }) => emailDomainIn(state, domain)?.proven === true,
  );
  if (!isProven) await database.provenDomains.takeBack(domain, organization);
  return isProven;
}

/** The part of an address after the `@`. */
export const domainOfAddress = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/**
 * Whether an organization has switched off the password sign-in of the account. An account that owns another
 * organization keeps its password.
 */
export async function isManaged(
  stores: TrustStores & Pick<Charter, 'keyFor' | 'log' | 'view'>,
  { id, email, role }: Pick<Account, 'id' | 'email' | 'role'>,
): Promise<boolean> {
  const trusted = await trustedDomain(stores, domainOfAddress(email ?? ''));
  // Without a configured provider, the person could not sign in at all.
  if (!trusted?.managed || !(await ssoSecretInForce(stores, trusted.organization))) return false;
  const isMember = await stores.organizations.query(organizationStream(trusted.organization), ({ state }) =>
    Object.hasOwn(state.members, id),
  );
  if (!isMember || role !== null) return false;
  const memberships = await accountMembershipsOf(stores, id);
  return !memberships.some((one) => one.role === 'owner' && one.id !== trusted.organization);
}
