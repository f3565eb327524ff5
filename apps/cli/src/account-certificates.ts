import { type Charter, writeCertificate } from '@charter/wiring';
import type { Command } from 'commander';
import type { Answer } from './answer';
import type { Desk, Doing } from './desk';
import { spokenCount } from './spoken';

export function addCertificates(accounts: Command, { onStores }: Doing): void {
  accounts
    .command('certificates')
    .requiredOption('--out <folder>', 'where to put them, a file for each account')
    .description('write the certificates of all erasures that the event log knows of')
    .action(({ out }: { out: string }) => onStores((charter, desk) => written(charter, out, desk)));
}

/** They follow from the log and the key, so those that are there already are the same. */
async function written({ certificates }: Charter, folder: string, { signal }: Desk): Promise<Answer> {
  let [all, fresh] = [0, 0];
  for await (const { account, certificate } of certificates.all(() => signal.throwIfAborted())) {
    all += 1;
    if (writeCertificate(folder, account, certificate)) fresh += 1;
  }
  const text = `${spokenCount(all, 'certificate')} in ${folder}, ${fresh} of them new.`;
  return { text, json: { folder, certificates: all, written: fresh } };
}
