import { type Charter, replayErasures, writeCertificate } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { filePath } from '../terminal/argument-values';

export function addCertificates(accounts: Command, { withStores }: ActionRunner): void {
  accounts
    .command('certificates')
    .requiredOption('--out <folder>', 'the folder for the certificates: one file for each account', filePath)
    .description('write the certificates of all erasures in the event log')
    .action(({ out }: { out: string }) => withStores((charter, context) => written(charter, out, context)));
}

/**
 * Writes a certificate file for each erasure. The certificates are computed from the event log and the signing key. An
 * existing file with other content is from another signing key or another event store, so the command does not replace
 * it. First completes erasures that a crash has interrupted, because a certificate promises that the data is erased.
 */
async function written(charter: Charter, folder: string, { signal }: ActionContext): Promise<CommandAnswer> {
  const { purgeFailed } = await replayErasures(charter, Date.now());
  if (purgeFailed !== null)
    throw new CommandDeclined(
      'erased-data-remains',
      503,
      `${purgeFailed} No certificate was written: try again later.`,
    );
  let [all, fresh] = [0, 0];
  const differing: string[] = [];
  for await (const { account, certificate } of charter.certificates.all(() => signal.throwIfAborted())) {
    all += 1;
    const { file, before } = writeCertificate(folder, account, certificate);
    if (before === 'nothing') fresh += 1;
    if (before === 'another') differing.push(file);
  }
  const text = [
    `The event log contains ${countText(all, 'erasure')}. The command wrote ${countText(fresh, 'new certificate')} to ${folder}.`,
    ...differing.map(
      (file) =>
        `${file} has other content, so the command did not replace it: move the file away and run the command again.`,
    ),
  ].join('\n');
  return { text, json: { folder, certificates: all, written: fresh, differing }, ok: differing.length === 0 };
}
