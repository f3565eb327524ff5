import { type Account, INVITATION_DAYS, LINK_MINUTES, linkPath, newLink } from '@charter/identity';
import { type Charter, originOf, secureRandom } from '@charter/application';
import type { CommandAnswer } from '../terminal/command-answer';
import { pairs } from '../terminal/table';

/**
 * Creates a link that sets a password. The command prints the link's token once, and stores only the hash of the token.
 * The link is not mailed, so it does not prove that the person owns the account's address. The link of an account
 * without a first password is the link of an invitation (`decisions.md`, Signing in, 20).
 */
export async function printLink(charter: Charter, { id, state }: Account): Promise<CommandAnswer> {
  const purpose = state === 'invited' ? 'invitation' : 'reset';
  const { token, link } = newLink(purpose, id, null, secureRandom, Date.now());
  await charter.database.people.links.replace(link);
  const address = `${await originOf(charter)}${linkPath(purpose, token)}`;
  const facts = pairs([
    ['id', id],
    ['link', address],
  ]);
  const validity = purpose === 'invitation' ? `${INVITATION_DAYS} days` : `${LINK_MINUTES} minutes`;
  const text = `${facts}\n\nThe link sets a password, once, within ${validity}. It is shown only once: give it to that person alone.`;
  return { text, json: { id, link: address } };
}
