import type { Account } from '@charter/identity';
import type { AccountService, Charter } from '@charter/application';
import type { Command } from 'commander';
import { findAccount, noSuchAccount, ACCOUNT_ARGUMENT } from './find-account';
import { addCertificates } from './account-certificates';
import { addCreate } from './account-create';
import { addErase } from './account-erase';
import { printLink } from './account-link';
import { addAccountList } from './account-list';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { platformRoleOrNone } from '../terminal/argument-values';

export function addAccounts(program: Command, doing: ActionRunner): void {
  const accounts = program.command('accounts').description('accounts: people who sign in');
  const { withStores } = doing;
  addCreate(accounts, doing);
  addAccountList(accounts, doing);
  accounts
    .command('link')
    .argument('<ACCOUNT>', ACCOUNT_ARGUMENT)
    .description('print a link that sets a password, once, within 60 minutes (a first password: 7 days)')
    .action((who: string) => withStores((charter) => link(charter, who)));
  accounts
    .command('disable')
    .argument('<ACCOUNT>', ACCOUNT_ARGUMENT)
    .description('disable an account: its sessions, links and API keys end at once')
    .action((who: string) => withStores((charter) => disable(charter, who)));
  accounts
    .command('enable')
    .argument('<ACCOUNT>', ACCOUNT_ARGUMENT)
    .description('enable a disabled account')
    .action((who: string) => withStores((charter) => enable(charter, who)));
  accounts
    .command('set-role')
    .argument('<ACCOUNT>', ACCOUNT_ARGUMENT)
    .argument('<ROLE>', 'operator, auditor or none', platformRoleOrNone)
    .description('give an account a role on the whole platform, or take it away; its sessions end')
    .action((who: string, role: ReturnType<typeof platformRoleOrNone>) =>
      withStores((charter) => setRole(charter, who, role)),
    );
  addErase(accounts, doing);
  addCertificates(accounts, doing);
}

async function link(charter: Charter, who: string): Promise<CommandAnswer> {
  const account = await findAccount(charter, who);
  if (account.state === 'erased') noSuchAccount();
  if (account.state === 'disabled')
    throw new CommandDeclined(
      'account-disabled',
      409,
      'The account is disabled. Enable it first: charter accounts enable',
    );
  await charter.trail.record(
    { account: account.id },
    { type: 'PasswordResetRequested', data: {} },
    commandLineContext(),
  );
  return printLink(charter, account);
}

async function disable(charter: Charter, who: string): Promise<CommandAnswer> {
  const account = await changed(charter, who, ({ disable: end }, id) => end(id, commandLineContext()));
  return stateOf(account, 'is disabled. Its sessions have ended, and its links and API keys no longer work.');
}

async function enable(charter: Charter, who: string): Promise<CommandAnswer> {
  const account = await changed(charter, who, ({ enable: begin }, id) => begin(id, commandLineContext()));
  const invited = 'is enabled, but never had a password: charter accounts link prints a link that sets one.';
  return stateOf(account, account.state === 'invited' ? invited : 'may sign in.');
}

async function setRole(
  charter: Charter,
  who: string,
  role: ReturnType<typeof platformRoleOrNone>,
): Promise<CommandAnswer> {
  const newRole = role === 'none' ? null : role;
  const account = await changed(charter, who, ({ assignRole }, id) => assignRole(id, newRole, commandLineContext()));
  return stateOf(account, newRole === null ? 'has no role on the platform.' : `has the role ${newRole}.`);
}

async function changed(
  charter: Charter,
  who: string,
  act: (keeping: AccountService, id: string) => Promise<Account | undefined>,
): Promise<Account> {
  const { id } = await findAccount(charter, who);
  return (await act(charter.accounts, id)) ?? noSuchAccount();
}

const stateOf = ({ id, state, role }: Account, sentence: string): CommandAnswer => ({
  text: `The account ${id} ${sentence}`,
  json: { id, state, role },
});
