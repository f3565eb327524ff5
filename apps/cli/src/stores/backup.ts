import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backUp, createFolder, StoreRefused } from '@charter/event-log';
import { type Charter, secretFiles, writeBackupNote } from '@charter/application';
import { publicDocumentFields } from '@charter/organization-view';
import { readSettings } from '@charter/settings';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { filePath } from '../terminal/argument-values';
import { quoted } from '../terminal/quoted';

export function addBackup(program: Command, { withFiles }: ActionRunner): void {
  program
    .command('backup')
    .argument('<folder>', 'a new folder', filePath)
    .description('copy the embedded stores and the files of their secrets, also while a server runs')
    .action((folder: string) => withFiles((settings) => backedUp(settings, folder)));
}

/**
 * Copies the files without changes. If an older version of Charter wrote the stores, that version can therefore open
 * the backup. The folder has a temporary name until it is complete.
 */
async function backedUp(settings: Charter['settings'], given: string): Promise<CommandAnswer> {
  const folder = join(dirname(given), basename(given)); // the temporary name adds a suffix, so no slash may precede it
  const stores = embeddedStores(settings);
  if (stores.length === 0)
    throw new CommandDeclined(
      'not-embedded',
      409,
      'The stores are on database servers. Back them up with the tools of the servers: first the tables, then the events.',
    );
  if (existsSync(folder))
    throw new CommandDeclined('folder-exists', 409, `${folder} exists already. Name a new folder.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  createBackupFolder(unfinished, folder);
  const areEmbedded = stores.length === 2;
  try {
    for (const { file, name } of stores) await copied(file, join(unfinished, name));
    for (const { file, isReplaced } of secretsOf(settings)) {
      const secret = join(settings.data, file);
      // if both stores are embedded, the server may use this file, although the command line has the setting
      if ((areEmbedded || !isReplaced) && existsSync(secret)) copyFileSync(secret, join(unfinished, file));
    }
    writeBackupNote(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    try {
      rmSync(unfinished, { recursive: true, force: true }); // a full disk needs the space
    } catch {
      // the operator needs the reason of the failed backup, and the next backup removes the copy
    }
    throw error;
  }
  const bytes = stores.reduce((sum, { name }) => sum + statSync(join(folder, name)).size, 0);
  return {
    text: `Backed up into ${folder}: ${(bytes / 1e6).toFixed(1)} MB. ${nextStep(settings, folder)}${replacedSecrets(settings)}`,
    json: { folder, bytes, stores: stores.map(({ name }) => name) },
  };
}

/**
 * The embedded stores, the tables before the log. Tables that are older than the log can catch up with the log.
 * If the tables were newer than the log, the read model would need a rebuild.
 */
const embeddedStores = ({ documents, documentsServer, eventLog, eventStore }: Charter['settings']) => [
  ...(documentsServer === undefined ? [{ file: documents, name: 'documents.db' }] : []),
  ...(eventStore === undefined ? [{ file: eventLog, name: 'events.db' }] : []),
];

/** The files of the secrets, and the settings that replace the files. */
const secretsOf = ({ sessionSecret, checkpointKey }: Charter['settings']) => [
  { file: secretFiles.SESSION_SECRET, setting: 'SESSION_SECRET', isReplaced: sessionSecret !== undefined },
  { file: secretFiles.CHECKPOINT_KEY, setting: 'CHECKPOINT_KEY', isReplaced: checkpointKey !== undefined },
];

function replacedSecrets(settings: Charter['settings']): string {
  const replaced = secretsOf(settings).flatMap(({ setting, isReplaced }) => (isReplaced ? [setting] : []));
  if (replaced.length === 0) return '';
  return `\nBack up ${replaced.join(' and ')} separately: the backup does not contain secrets that come from the settings.`;
}

function nextStep({ documentsServer, eventStore }: Charter['settings'], folder: string): string {
  if (documentsServer !== undefined)
    return 'It contains the events, but no tables. Its events must be newer than your backup of the tables: if you have not backed up the tables yet, back them up, and then run this command again.';
  if (eventStore !== undefined)
    return 'It contains the tables, but no events. Now back up the events with the tools of the event store.';
  return `Verify it: ${isInFolder(folder) ? '' : 'EVENT_LOG= DOCUMENTS= '}CHARTER_DATA=${quoted(folder)} charter verify --all`;
}

/** Whether CHARTER_DATA is enough to open the stores in the folder. Other settings may name files elsewhere. */
function isInFolder(folder: string): boolean {
  const { data, eventLog, documents } = readSettings(publicDocumentFields, { CHARTER_DATA: folder });
  return eventLog === join(data, 'events.db') && documents === join(data, 'documents.db');
}

/** @throws CommandDeclined if the operating system refuses to create the folder */
function createBackupFolder(path: string, named: string): void {
  try {
    createFolder(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandDeclined(
      'not-writable',
      409,
      `${named} cannot be created (${code}). Is its path right, and may you write to the folder around it?`,
    );
  }
}

/** @throws StoreRefused if the file is missing, damaged, or from another program */
const copied = (file: string, to: string): Promise<void> =>
  backUp(file, to).catch((cause: unknown) => {
    throw new StoreRefused(`${file} cannot be copied: ${messageOf(cause)}. There is no backup.`, { cause });
  });

const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
