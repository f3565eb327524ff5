import { momentAt } from '@charter/decider';
import { hash } from 'node:crypto';
import type { RandomSource } from './keys';
import type { AccountLink, LinkPurpose } from './people';

/** The number of minutes for which a link works, except the link of an invitation (`decisions.md`, Signing in, 8). */
export const LINK_MINUTES = 60;
/** The number of days for which the link of an invitation works (`decisions.md`, Signing in, 20). */
export const INVITATION_DAYS = 7;

/** For how many milliseconds a link with this purpose works. */
export const linkLifetime = (purpose: LinkPurpose): number =>
  purpose === 'invitation' ? INVITATION_DAYS * 86_400_000 : LINK_MINUTES * 60_000;

/** The path of the page that a link with this purpose opens. The token is the last part of the path. */
export const linkPath = (purpose: LinkPurpose, token: string): string => `${pages[purpose]}/${token}`;
const pages = { reset: '/reset', invitation: '/invitation', email: '/email/confirm' } as const;

/**
 * Creates a link and its token of 256 random bits. Charter does not store the token; the stored link contains only the
 * token's hash.
 * @param email the address to which the link is mailed; null if the link is printed
 */
export function newLink(
  purpose: LinkPurpose,
  account: string,
  email: string | null,
  random: RandomSource,
  now: number,
): { token: string; link: AccountLink } {
  const token = Buffer.from(random.bytes(32)).toString('base64url');
  const [created, expires] = [momentAt(now), momentAt(now + linkLifetime(purpose))];
  return { token, link: { hash: linkHash(token), purpose, account, email, created, expires } };
}

/** The stored form of a token: its SHA-256 in lower-case hex. */
export const linkHash = (token: string): string => hash('sha256', token, 'hex');

export const isExpired = ({ expires }: Pick<AccountLink, 'expires'>, now: number): boolean =>
  now >= Date.parse(expires);
