import type { Account } from '@charter/identity';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { table } from '../terminal/table';
import { quoted } from '../terminal/quoted';
import { parseCount } from '../terminal/argument-values';

type ListOptions = Readonly<{ q?: string; limit: number; cursor?: string }>;

export function addAccountList(accounts: Command, { withStores }: ActionRunner): void {
  accounts
    .command('list')
    .description('list accounts by e-mail address')
    .option('--q <text>', 'only accounts with this text in their address, username or name')
    .option('--limit <n>', 'the largest number of entries', parseCount, 100)
    .option('--cursor <cursor>', 'continue after the page that printed this cursor')
    .action((options: ListOptions) => withStores((charter) => list(charter, options)));
}

async function list({ database }: Charter, { q, limit, cursor: after }: ListOptions): Promise<CommandAnswer> {
  const { accounts, next } = await database.people.accounts.list({ q, after, limit });
  const rows = accounts.map(({ email, username, name, role, state, id }) => {
    return [email ?? '-', username ?? '-', name ?? '-', role ?? '-', state, id];
  });
  const none =
    q === undefined ? 'There are no accounts. Create one with: charter accounts create' : 'No account matches.';
  const notes = [
    rows.length > 0 ? table(['E-MAIL', 'USERNAME', 'NAME', 'ROLE', 'STATE', 'ID'], rows) : none,
    ...(next === undefined ? [] : [`There are more: --cursor ${quoted(next)}`]),
  ];
  return { text: notes.join('\n\n'), json: { accounts: accounts.map(shownOf), next: next ?? null } };
}

/** The account as the command prints it, without its password hash and its version. */
const shownOf = ({ id, email, username, name, role, state, created }: Account) => {
  return { id, email, username, name, role, state, created };
};
