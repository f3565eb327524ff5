import { type Account, LINK_MINUTES, newLink } from '@charter/identity';
import { type Charter, originOf, secureRandom } from '@charter/application';
import type { CommandAnswer } from '../terminal/command-answer';
import { pairs } from '../terminal/table';

/**
 * Creates a link that sets a password. The command prints the link's token once, and stores only the hash of the token.
 * The link is not mailed, so it does not prove that the person owns the account's address.
 */
export async function printLink(charter: Charter, { id, state }: Account): Promise<CommandAnswer> {
  const { token, link } = newLink(state === 'invited' ? 'invitation' : 'reset', id, null, secureRandom, Date.now());
  await charter.database.people.links.replace(link);
  const address = `${await originOf(charter)}/reset/${token}`;
  const facts = pairs([
    ['id', id],
    ['link', address],
  ]);
  const text = `${facts}\n\nThe link sets a password, once, within ${LINK_MINUTES} minutes. It is shown only once: give it to that person alone.`;
  return { text, json: { id, link: address } };
}
