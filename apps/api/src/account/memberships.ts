import { organizationIdOf, organizationStream } from '@charter/organization';
import { memberTag } from '@charter/organization-view';
import { verifierOf } from '@charter/integrity';
import { accountMembershipsOf, type AuditContext, openCertificate } from '@charter/application';
import type { OwnAccount } from './account.answers';
import { withStoreErrors } from '../operators/store-errors';
import type { Runtime } from '../process/runtime';

export type Membership = OwnAccount['organizations'][number];
type Looking = Pick<Runtime, 'view' | 'organizations'>;

/** So many of one person's organizations are looked at; `GET /api/v1/organizations` pages through all of them. */
const MEMBERSHIPS_MAX = 100;

/**
 * The organizations of someone, by name. Which ones may trail by the projection's lag, as lists do; whether and as what
 * they are a member of each is asked of its own stream, so nothing that was taken away is shown.
 */
export async function membershipsOf({ view, organizations }: Looking, account: string): Promise<readonly Membership[]> {
  const { rows } = await view.list({ tags: [memberTag(account)], limit: MEMBERSHIPS_MAX });
  const found = await Promise.all(
    rows.map(({ stream }) => membershipIn({ organizations }, organizationIdOf(stream), account)),
  );
  return found.filter((one) => one !== undefined);
}

/** As an organization's own stream has it; undefined: no member there. */
export const membershipIn = async (
  { organizations }: Pick<Looking, 'organizations'>,
  id: string,
  account: string,
): Promise<Membership | undefined> =>
  organizations.query(organizationStream(id), ({ state }): Membership | undefined => {
    const role = Object.hasOwn(state.members, account) ? state.members[account]!.role : undefined;
    return role && { id, name: state.name, role };
  });

/** Whether somebody belongs to any organization, on current facts. */
export const isMemberSomewhere = async (looking: Parameters<typeof accountMembershipsOf>[0], account: string) =>
  (await accountMembershipsOf(looking, account)).length > 0;

export const organizationNamesOf = async (looking: Looking, account: string): Promise<readonly string[]> =>
  (await membershipsOf(looking, account)).map(({ name }) => name);

/** Forgets a person, who leaves their organizations first. @throws Stop 503; Refused `last-owner`, with the organizations */
export async function eraseAccount(
  { reading, accounts }: Pick<Runtime, 'reading' | 'accounts'>,
  id: string,
  by: AuditContext,
) {
  reading.mustBeTrusted();
  return withStoreErrors(accounts.erase(id, by, reading.acknowledged));
}

/**
 * That an account was erased, for whoever must do it again after a restore (`acceptance.md` U8). The certificate says the
 * same, signed; null where the log does not know of it, because it is older than the tables.
 */
export async function erasureCertificateOf(
  { certificates, signer }: Pick<Runtime, 'certificates' | 'signer'>,
  account: string,
) {
  const certificate = await certificates.of(account);
  if (certificate === undefined) return { kind: 'erasure', account, certificate: null } as const;
  const { erased, by, event } = openCertificate(certificate, verifierOf(signer.verifierKey));
  return { kind: 'erasure', account, erased, by, event, certificate } as const;
}
