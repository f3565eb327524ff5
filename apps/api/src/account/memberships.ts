import { organizationStream } from '@charter/organization';
import { memberTag } from '@charter/organization-view';
import { verifierOf } from '@charter/integrity';
import { accountMembershipIn, type AuditContext, openCertificate, type Charter } from '@charter/application';
import type { OwnAccount } from './account.answers';
import type { OrganizationAccess } from '../process/parts/organization-access';

export type Membership = Omit<OwnAccount['organizations'][number], 'accepted'>;
type MembershipStores = Pick<Charter, 'view' | 'organizations'>;

/** The maximum number of organizations that `membershipsOf` returns; `GET /api/v1/organizations` lists all in pages. */
const MEMBERSHIPS_MAX = 100;

/**
 * The organizations of an account, sorted by name. A new membership may be missing until the projector has processed
 * its event. The membership and its role come from each organization's own stream, which is always current. The list
 * therefore never contains a removed membership.
 */
export async function membershipsOf(
  { view, organizations }: MembershipStores,
  account: string,
): Promise<readonly Membership[]> {
  const { rows } = await view.list({ tags: [memberTag(account)], limit: MEMBERSHIPS_MAX });
  // If the stream of an organization is unreadable, the list must still contain the other organizations.
  const found = await Promise.all(rows.map(({ stream }) => accountMembershipIn({ organizations }, stream, account)));
  return found.flatMap(({ membership }) =>
    membership ? [{ id: membership.id, name: membership.name, role: membership.role }] : [],
  );
}

/** The membership according to the organization's own stream; undefined if the account is not a member. */
export const membershipIn = async (
  { organizations }: Pick<MembershipStores, 'organizations'>,
  id: string,
  account: string,
): Promise<Membership | undefined> =>
  organizations.query(organizationStream(id), ({ state }): Membership | undefined => {
    const role = Object.hasOwn(state.members, account) ? state.members[account]!.role : undefined;
    return role && { id, name: state.name, role };
  });

export const organizationNamesOf = async (stores: MembershipStores, account: string): Promise<readonly string[]> =>
  (await membershipsOf(stores, account)).map(({ name }) => name);

/**
 * Erases an account and its memberships. @throws ProblemError 503; Refused `last-owner`, with the organizations that
 * would have no owner
 */
export async function eraseAccount(
  { reading, accounts, commands }: Pick<Charter, 'accounts'> & Pick<OrganizationAccess, 'reading' | 'commands'>,
  id: string,
  context: AuditContext,
) {
  reading.mustBeTrusted();
  return accounts.erase(id, context, commands);
}

/**
 * The signed certificate of an erasure, with which an operator can repeat the erasure after a restore (`acceptance.md`
 * U8). Null if the event log does not contain the erasure, because the log is older than the tables.
 */
export async function erasureCertificateOf(
  { certificates, signer }: Pick<Charter, 'signer' | 'certificates'>,
  account: string,
  remains: string | null,
) {
  const certificate = await certificates.of(account);
  if (certificate === undefined) return { kind: 'erasure', account, certificate: null, remains } as const;
  const { erased, by: actor, event } = openCertificate(certificate, verifierOf(signer.verifierKey));
  return { kind: 'erasure', account, erased, by: actor, event, certificate, remains } as const;
}
