import type { Account } from './people';

/** Someone as a provider describes them: proven to it, and so to us as far as we trust it. */
export type ProviderIdentity = Readonly<{
  issuer: string;
  subject: string;
  /** In canonical form; undefined: it names none. */
  email: string | undefined;
  /** Whether the provider says, by the word `true` alone, that the address is theirs. */
  emailVerified: boolean;
}>;

/** Whom it may be: who is linked to its subject, and who has its address. */
export type AccountCandidates = Readonly<{ linked: Account | undefined; addressed: Account | undefined }>;

export type AccountMatch =
  | Readonly<{ kind: 'known'; account: Account }>
  /** To be linked with the subject from now on; `claims`: the address has shown its owner, see below. */
  | Readonly<{ kind: 'new'; account: Account; claims: boolean }>
  /** `account`: the one that was meant, proven or not, so that its owner can see it; `unverified-email`: by whichever side. */
  | Readonly<{ kind: 'refused'; because: 'unverified-email' | 'unknown' | 'disabled' | 'invited'; account?: string }>;

/**
 * Whose account it is (`decisions.md`, Signing in, 5, 6, 14; `acceptance.md` G5–G8). The subject counts first, whatever
 * its address is by now. An address counts only when both sides have verified it.
 *
 * Google answers for addresses, so it also verifies ours: an account that was invited, or whose address nobody has proven yet,
 * is then claimed by whoever owns the address, and whatever an earlier holder knows (password, sessions, links) ends with
 * it. An organization's own provider says what that organization wants, so it claims nothing.
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
