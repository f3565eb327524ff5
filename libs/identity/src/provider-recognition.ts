import type { Account } from './people';

/** The claims of an identity provider about a person. `matchAccount` decides which of the claims Charter accepts. */
export type ProviderIdentity = Readonly<{
  issuer: string;
  subject: string;
  /** The address in canonical form; undefined if the provider sent none. */
  email: string | undefined;
  /**
   * True if the provider's claim `email_verified` is exactly `true`; undefined if the provider sent no such claim, as
   * Microsoft Entra does. Every other value of the claim is false.
   */
  emailVerified: boolean | undefined;
}>;

/** The accounts that may match: the account that is linked to the subject, and the account with the address. */
export type AccountCandidates = Readonly<{ linked: Account | undefined; addressed: Account | undefined }>;

/** The statements of a provider about addresses that Charter accepts. */
type ProviderTrust = Readonly<{
  /** Whether the provider verifies addresses itself, as Google does. */
  answersForAddresses: boolean;
  /** Whether the provider belongs to the organization that has proven the domain of the identity's address. */
  hasProvenDomain: boolean;
}>;

export type AccountMatch =
  | Readonly<{ kind: 'known'; account: Account }>
  /**
   * The caller must link the subject to the account. If `claims` is true, the owner of the address takes over the
   * account (`matchAccount`).
   */
  | Readonly<{ kind: 'new'; account: Account; claims: boolean }>
  /**
   * `account` is the account in whose audit stream Charter records the attempt, so that the account's owner sees the
   * attempt. `unverified-email`: the provider has not verified the address, or the account's address is not verified.
   */
  | Readonly<{ kind: 'refused'; because: 'unverified-email' | 'unknown' | 'disabled' | 'invited'; account?: string }>;

/**
 * Finds the account to which a provider's identity belongs (`decisions.md`, Signing in, 5, 6, 14; `acceptance.md`
 * G5–G8). If the provider's subject is linked to an account, this account matches, even if the person's address has
 * changed. Without a linked account, the account with the address matches, if both the provider's address and the
 * account's address are verified. Google verifies addresses, so Google's claim also counts as verification of the
 * account's address. If the account is invited, or its address is not verified, the owner of the address takes over the
 * account. The account's earlier password, sessions and links then stop working. An organization's own provider may
 * claim any address, so its claim takes over no account. If the provider sends no claim `email_verified`, the address
 * counts as verified only if the provider's organization has proven the address's domain.
 */
export function matchAccount(
  { email, emailVerified }: ProviderIdentity,
  { linked, addressed }: AccountCandidates,
  { answersForAddresses, hasProvenDomain }: ProviderTrust,
): AccountMatch {
  if (linked) return linked.state === 'active' ? { kind: 'known', account: linked } : refused(linked);
  if (email === undefined || !(emailVerified ?? hasProvenDomain))
    return { kind: 'refused', because: 'unverified-email', ...(addressed && { account: addressed.id }) };
  if (!addressed) return { kind: 'refused', because: 'unknown' };
  if (addressed.state === 'disabled' || addressed.state === 'erased') return refused(addressed);
  if (addressed.state === 'active' && addressed.emailVerified)
    return { kind: 'new', account: addressed, claims: false };
  return answersForAddresses
    ? { kind: 'new', account: addressed, claims: true }
    : refused(addressed, 'unverified-email');
}

const refused = ({ id, state }: Account, because: 'unverified-email' | 'disabled' = 'disabled'): AccountMatch => ({
  kind: 'refused',
  because: state === 'invited' ? 'invited' : because,
  account: id,
});
