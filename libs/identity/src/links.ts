import { momentAt } from '@charter/decider';
import { hash } from 'node:crypto';
import type { RandomSource } from './keys';
import type { AccountLink, LinkPurpose } from './people';

/** The number of minutes for which a mailed link works (`decisions.md`, Signing in, 8). */
export const LINK_MINUTES = 60;

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
  const [created, expires] = [momentAt(now), momentAt(now + LINK_MINUTES * 60_000)];
  return { token, link: { hash: linkHash(token), purpose, account, email, created, expires } };
}

/** The stored form of a token: its SHA-256 in lower-case hex. */
export const linkHash = (token: string): string => hash('sha256', token, 'hex');

export const isExpired = ({ expires }: Pick<AccountLink, 'expires'>, now: number): boolean =>
  now >= Date.parse(expires);
