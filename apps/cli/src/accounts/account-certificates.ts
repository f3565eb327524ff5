import { type Charter, writeCertificate } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { countText } from '../terminal/amounts';

export function addCertificates(accounts: Command, { withStores }: ActionRunner): void {
  accounts
    .command('certificates')
    .requiredOption('--out <folder>', 'where to put them, a file for each account')
    .description('write the certificates of all erasures that the event log knows of')
    .action(({ out }: { out: string }) => withStores((charter, desk) => written(charter, out, desk)));
}

/** They follow from the log and the key, so a file that says something else is of another key or store, or none: it stays. */
async function written({ certificates }: Charter, folder: string, { signal }: ActionContext): Promise<CommandAnswer> {
  let [all, fresh] = [0, 0];
  const differing: string[] = [];
  for await (const { account, certificate } of certificates.all(() => signal.throwIfAborted())) {
    all += 1;
    const { file, before } = writeCertificate(folder, account, certificate);
    if (before === 'nothing') fresh += 1;
    if (before === 'another') differing.push(file);
  }
  const text = [
    `${countText(all, 'certificate')} of ${folder}, ${fresh} of them new.`,
    ...differing.map((file) => `${file} says something else, and stays: move it away, and say this again.`),
  ].join('\n');
  return { text, json: { folder, certificates: all, written: fresh, differing }, ok: differing.length === 0 };
}
