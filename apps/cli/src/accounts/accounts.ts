import type { Account } from '@charter/identity';
import type { AccountKeeping, Charter } from '@charter/application';
import type { Command } from 'commander';
import { accountCalled, unknown, WHO } from './find-account';
import { addCertificates } from './account-certificates';
import { addCreate } from './account-create';
import { addErase } from './account-erase';
import { printLink } from './account-link';
import { addAccountList } from './account-list';
import type { Answer } from '../terminal/command-answer';
import { byHand } from '../terminal/command-line-context';
import type { Doing } from '../terminal/action-runner';
import { Declined } from '../terminal/problem';
import { platformRoleOrNone } from '../terminal/argument-values';

export function addAccounts(program: Command, doing: Doing): void {
  const accounts = program.command('accounts').description('accounts: people who sign in');
  const { onStores } = doing;
  addCreate(accounts, doing);
  addAccountList(accounts, doing);
  accounts
    .command('link')
    .argument('<ACCOUNT>', WHO)
    .description('print a link that sets a password, once, within 60 minutes')
    .action((who: string) => onStores((charter) => link(charter, who)));
  accounts
    .command('disable')
    .argument('<ACCOUNT>', WHO)
    .description('let somebody sign in no more; their sessions, links and API keys end at once')
    .action((who: string) => onStores((charter) => disable(charter, who)));
  accounts
    .command('enable')
    .argument('<ACCOUNT>', WHO)
    .description('let somebody sign in again')
    .action((who: string) => onStores((charter) => enable(charter, who)));
  accounts
    .command('set-role')
    .argument('<ACCOUNT>', WHO)
    .argument('<ROLE>', 'operator, auditor or none', platformRoleOrNone)
    .description('give somebody a role on the whole platform, or take it; their sessions end')
    .action((who: string, role: ReturnType<typeof platformRoleOrNone>) =>
      onStores((charter) => setRole(charter, who, role)),
    );
  addErase(accounts, doing);
  addCertificates(accounts, doing);
}

async function link(charter: Charter, who: string): Promise<Answer> {
  const account = await accountCalled(charter, who);
  if (account.state === 'erased') unknown();
  if (account.state === 'disabled')
    throw new Declined(
      'account-disabled',
      409,
      'The account is disabled. charter accounts enable lets it sign in again.',
    );
  await charter.trail.record({ account: account.id }, { type: 'PasswordResetRequested', data: {} }, byHand());
  return printLink(charter, account);
}

async function disable(charter: Charter, who: string): Promise<Answer> {
  const account = await kept(charter, who, ({ disable: end }, id) => end(id, byHand()));
  return stateOf(account, 'is disabled. Its sessions have ended, and its links and API keys no longer work.');
}

async function enable(charter: Charter, who: string): Promise<Answer> {
  const account = await kept(charter, who, ({ enable: begin }, id) => begin(id, byHand()));
  const invited = 'is enabled, but never had a password: charter accounts link prints a link that sets one.';
  return stateOf(account, account.state === 'invited' ? invited : 'may sign in.');
}

async function setRole(charter: Charter, who: string, role: ReturnType<typeof platformRoleOrNone>): Promise<Answer> {
  const wish = role === 'none' ? null : role;
  const account = await kept(charter, who, ({ assignRole }, id) => assignRole(id, wish, byHand()));
  return stateOf(account, wish === null ? 'has no role on the platform.' : `has the role ${wish}.`);
}

async function kept(
  charter: Charter,
  who: string,
  act: (keeping: AccountKeeping, id: string) => Promise<Account | undefined>,
): Promise<Account> {
  const { id } = await accountCalled(charter, who);
  return (await act(charter.accounts, id)) ?? unknown();
}

const stateOf = ({ id, state, role }: Account, sentence: string): Answer => ({
  text: `The account ${id} ${sentence}`,
  json: { id, state, role },
});
