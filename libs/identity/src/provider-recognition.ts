import type { Account } from './people';

/** A person as an identity provider describes them. The code below decides which of the claims Charter accepts. */
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
 * G5–G8). The subject takes precedence, even if its address has changed. An address is compared only when both sides
 * have verified it.
 * Google verifies addresses, so its claim also verifies the address of the account. If the account is invited, or its
 * address is unproven, the owner of the address then claims it; the password, sessions and links of an earlier holder
 * end. An organization's own provider may assert any address, so it claims no account.
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
