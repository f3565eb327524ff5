import { type Account, identifierOf } from '@charter/identity';
import type { Charter } from '@charter/application';
import { CommandDeclined } from '../terminal/problem';

/** The description of the argument by which an operator names an account. */
export const ACCOUNT_ARGUMENT = 'its id, e-mail address or username';

/** @throws CommandDeclined if there is no such account */
export async function findAccount({ database }: Charter, who: string): Promise<Account> {
  const { accounts } = database.people;
  const identifier: Partial<{ email: string; username: string }> = identifierOf(who) ?? {};
  const found =
    (await accounts.byId(who.toLowerCase())) ??
    (identifier.email === undefined ? undefined : await accounts.byEmail(identifier.email)) ??
    (identifier.username === undefined ? undefined : await accounts.byUsername(identifier.username));
  return found ?? noSuchAccount();
}

export const noSuchAccount = (): never => {
  throw new CommandDeclined(
    'no-such-account',
    404,
    'There is no account with this id, e-mail address or username. Run charter accounts list or charter accounts create.',
  );
};
