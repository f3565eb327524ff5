import { type LinkPurpose, linkPath, newLink } from '@charter/identity';
import { secureRandom, type Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';

/**
 * Creates a link that works once, and returns its URL. The link replaces the account's previous link for the same
 * purpose. The origin comes from the settings, never from the request (`acceptance.md` B9).
 * @param email the address to which the link is mailed; null if the link is not mailed and so proves no address
 */
export async function linkFor(
  { database, settings, now }: Pick<Charter, 'settings' | 'database'> & Clock,
  purpose: LinkPurpose,
  account: string,
  email: string | null,
): Promise<string> {
  const { token, link } = newLink(purpose, account, email, secureRandom, now());
  await database.people.links.replace(link);
  return `${settings.publicUrl}${linkPath(purpose, token)}`;
}
