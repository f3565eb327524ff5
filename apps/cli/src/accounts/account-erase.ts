import { closeSync, existsSync, fstatSync, fsyncSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Charter, ErasedDataRemains } from '@charter/application';
import type { Command } from 'commander';
import { findAccount, noSuchAccount, ACCOUNT_ARGUMENT } from './find-account';
import type { CommandAnswer } from '../terminal/command-answer';
import { commandLineContext } from '../terminal/command-line-context';
import { commandLineCommands } from '../terminal/organization-commands';
import type { ActionRunner } from '../terminal/action-runner';
import { replayCertificates } from './account-replay';
import { CommandDeclined } from '../terminal/problem';
import { filePath } from '../terminal/argument-values';

type Options = Readonly<{ yes?: true; certificate?: string; replay?: string; key?: string; store?: string }>;

export function addErase(accounts: Command, { withStores }: ActionRunner): void {
  accounts
    .command('erase')
    .argument('[ACCOUNT]', ACCOUNT_ARGUMENT)
    .description('erase a person for good: only the id of the account remains')
    .option('--yes', 'erase the account without a question')
    .option('--certificate <file>', 'the file for its certificate', filePath)
    .option(
      '--replay <folder>',
      'repeat the erasures that the certificates in a folder name, in stores restored from an older backup',
      filePath,
    )
    .option('--key <key>', 'with --replay: the public key that signed the certificates; default: this installation’s')
    .option(
      '--store <id>',
      'with --replay: the event store that the certificates belong to, if this log was imported from it',
    )
    .action((who: string | undefined, { yes, certificate, replay, key, store }: Options, command: Command) => {
      if (replay !== undefined) {
        if (who !== undefined || certificate !== undefined)
          command.error('error: --replay takes a folder of certificates, and no account');
        return withStores((charter) => replayCertificates(charter, replay, { key, store }));
      }
      if (who === undefined) return command.error('error: an account, or --replay FOLDER, is missing');
      if (!yes && !process.stdin.isTTY) command.error('error: this cannot be undone; confirm with --yes');
      return withStores(async (charter, { signal }) => {
        const { id } = await findAccount(charter, who);
        if (!yes) await confirm(id, { input: process.stdin, output: process.stderr, signal });
        return erase(charter, id, certificate);
      });
    });
}

type Terminal = Readonly<{ input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal }>;

/** Asks the operator to type the id. @throws CommandDeclined if the operator types anything else, or cancels */
export async function confirm(id: string, { input, output, signal }: Terminal): Promise<void> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort()); // the question itself never settles if the input ends
  try {
    const typed = await terminal
      .question(`This cannot be undone. Type the id, ${id}, to erase the account: `, {
        signal: AbortSignal.any([signal, closed.signal]),
      })
      .catch(() => {
        signal.throwIfAborted();
        throw new CommandDeclined('not-confirmed', 400, 'The erasure was not confirmed. Nothing was erased.');
      });
    if (typed.trim().toLowerCase() !== id)
      throw new CommandDeclined('not-confirmed', 400, 'This is not the id of the account. Nothing was erased.');
  } finally {
    terminal.close();
  }
}

async function erase(charter: Charter, id: string, file: string | undefined): Promise<CommandAnswer> {
  const { accounts, certificates } = charter;
  const into = file === undefined ? undefined : certificateFile(file);
  try {
    const {
      account: { state, role },
      remains,
    } =
      (await accounts.erase(id, commandLineContext(), commandLineCommands(charter)).catch(named(id))) ??
      noSuchAccount();
    const certificate = (await certificates.of(id)) ?? null;
    if (certificate !== null) into?.write(certificate);
    const sentence = `The account ${id} is erased: its names, address, password, sessions and links are deleted, and its API keys revoked. The history still contains the id.`;
    const text = [
      sentence,
      ...(remains === null ? [] : [remains]),
      ...(certificate === null ? [] : [file === undefined ? certificate : `The certificate is written to ${file}.`]),
    ].join('\n\n');
    return { text, json: { id, state, role, certificate, remains } };
  } finally {
    into?.end();
  }
}

/** An erased account has no e-mail address and no username, so only its id can name it in the repeated command. */
const named = (id: string) => (error: unknown) => {
  if (!(error instanceof ErasedDataRemains)) throw error;
  const again = `${error.message} Use the id of the account: charter accounts erase ${id}`;
  throw new CommandDeclined('erased-data-remains', 503, again);
};

/**
 * Opens the file of a certificate before the erasure, because no command can undo an erasure. An existing file keeps
 * its content until the call of `write`. If there is no certificate, `end` removes a new file.
 * @throws CommandDeclined if the file cannot be written
 */
export function certificateFile(file: string) {
  let isUnused = !existsSync(file);
  let opened: number;
  try {
    opened = openSync(file, 'a', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandDeclined(
      'not-writable',
      409,
      `${file} cannot be written (${code}). Does its folder exist, and may you write to it? Nothing was erased.`,
    );
  }
  return {
    write: (certificate: string): void => {
      isUnused = false;
      const isOnDisk = fstatSync(opened).isFile(); // not a pipe or a terminal
      if (isOnDisk) ftruncateSync(opened);
      writeFileSync(opened, certificate);
      if (isOnDisk) fsyncSync(opened);
    },
    end: (): void => {
      closeSync(opened);
      if (isUnused) rmSync(file, { force: true });
    },
  };
}
