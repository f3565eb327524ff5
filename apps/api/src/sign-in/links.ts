import { type LinkPurpose, newLink } from '@charter/identity';
import { secureRandom } from '@charter/application';
import type { Runtime } from '../process/runtime';

/**
 * Makes a link that works once, in place of the one before of its purpose, and answers with its address. The origin is the
 * setting's, whatever the request says (`acceptance.md` B9).
 * @param email the address that it is mailed to; null: it is mailed to nobody, so it proves no address
 */
export async function linkFor(
  { documents, settings, now }: Pick<Runtime, 'documents' | 'settings' | 'now'>,
  purpose: LinkPurpose,
  account: string,
  email: string | null,
): Promise<string> {
  const { token, link } = newLink(purpose, account, email, secureRandom, now());
  await documents.people.links.replace(link);
  return `${settings.publicUrl}${purpose === 'email' ? '/email/confirm' : '/reset'}/${token}`;
}
