import { createInterface } from 'node:readline/promises';
import type { Charter } from '@charter/wiring';
import type { Command } from 'commander';
import { accountCalled, unknown, WHO } from './account-called';
import type { Answer } from './answer';
import { byHand } from './by-hand';
import type { Doing } from './desk';
import { Declined } from './problem';

export function addErase(accounts: Command, { onStores }: Doing): void {
  accounts
    .command('erase')
    .argument('<ACCOUNT>', WHO)
    .description('forget a person for good: what is left of the account is its id')
    .option('--yes', 'without asking')
    .action((who: string, { yes }: { yes?: true }, command: Command) => {
      if (!yes && !process.stdin.isTTY) command.error('error: this cannot be undone; --yes says that it is meant');
      return onStores(async (charter, { signal }) => {
        const { id } = await accountCalled(charter, who);
        if (!yes) await confirm(id, { input: process.stdin, output: process.stderr, signal });
        return erase(charter, id);
      });
    });
}

type Terminal = Readonly<{ input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal?: AbortSignal }>;

/** Whoever types the id knows whom they mean. @throws Declined when they typed anything else */
export async function confirm(id: string, { input, output, signal }: Terminal): Promise<void> {
  const terminal = createInterface({ input, output });
  try {
    const typed = await terminal.question(`This cannot be undone. Type the id, ${id}, to erase the account: `, {
      signal,
    });
    if (typed.trim().toLowerCase() !== id)
      throw new Declined('not-confirmed', 400, 'That is not its id. Nothing was erased.');
  } finally {
    terminal.close();
  }
}

async function erase({ accounts }: Charter, id: string): Promise<Answer> {
  const { state, role } = (await accounts.erase(id, byHand())) ?? unknown();
  const text = `The account ${id} is erased: names, address, password, sessions, links and API keys are gone. History keeps the id.`;
  return { text, json: { id, state, role } };
}
