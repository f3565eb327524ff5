import type { Account } from './people';

/** A person as an identity provider describes them. How far to trust it is decided below. */
export type ProviderIdentity = Readonly<{
  issuer: string;
  subject: string;
  /** In canonical form; undefined: the provider gave none. */
  email: string | undefined;
  /** Whether the provider's claim is exactly `true`. */
  emailVerified: boolean;
}>;

/** The accounts that may match: the account linked to the subject, and the account with the address. */
export type AccountCandidates = Readonly<{ linked: Account | undefined; addressed: Account | undefined }>;

export type AccountMatch =
  | Readonly<{ kind: 'known'; account: Account }>
  /**
   * The subject is to be linked to the account. `claims`: the owner of the address takes the account over, see below.
   */
  | Readonly<{ kind: 'new'; account: Account; claims: boolean }>
  /** `account`: the account that was meant, so that its owner sees the attempt; `unverified-email`: by either side. */
  | Readonly<{ kind: 'refused'; because: 'unverified-email' | 'unknown' | 'disabled' | 'invited'; account?: string }>;

/**
 * Finds the account that a provider's identity belongs to (`decisions.md`, Signing in, 5, 6, 14; `acceptance.md`
 * G5–G8). The subject counts first, whatever its address is by now. An address counts only when both sides have
 * verified it.
 *
 * Google verifies addresses, so its word also verifies ours. An account that is invited, or whose address is unproven,
 * is then claimed by the owner of the address; the password, sessions and links of an earlier holder end. An
 * organization's own provider asserts what that organization wants, so it claims nothing.
 */
export function matchAccount(
  { email, emailVerified }: ProviderIdentity,
  { linked, addressed }: AccountCandidates,
  answersForAddresses: boolean,
): AccountMatch {
  if (linked) return linked.state === 'active' ? { kind: 'known', account: linked } : refused(linked);
  if (email === undefined || !emailVerified)
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
