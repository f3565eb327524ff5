import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backUp } from '@charter/event-log';
import { type Charter, writeBackupNote } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';

export function addBackup(program: Command, { withStores }: ActionRunner): void {
  program
    .command('backup')
    .argument('<folder>', 'one that is not there yet')
    .description('copy the embedded stores and their secrets, also while a server uses them')
    .action((folder: string) => withStores(({ settings }) => backedUp(settings, folder)));
}

/** The folder is complete when it is there: it is made under another name. */
async function backedUp(settings: Charter['settings'], folder: string): Promise<CommandAnswer> {
  const { eventStore, documentsServer, data } = settings;
  if (eventStore !== undefined || documentsServer !== undefined)
    throw new CommandDeclined('not-embedded', 409, 'The stores are on servers, which have backups of their own.');
  if (existsSync(folder)) throw new CommandDeclined('folder-exists', 409, `There is something at ${folder} already.`);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  // The tables first: they catch up with a log that is newer than they are, and would have to be built again for an older one.
  await backUp(settings.documents, join(unfinished, 'documents.db'));
  await backUp(settings.eventLog, join(unfinished, 'events.db'));
  for (const name of ['session-secret', 'checkpoint-key']) {
    const secret = join(data, name);
    if (existsSync(secret)) copyFileSync(secret, join(unfinished, name));
  }
  writeBackupNote(unfinished);
  renameSync(unfinished, folder);
  const bytes = ['documents.db', 'events.db'].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return {
    text: `Backed up into ${folder}: ${(bytes / 1e6).toFixed(1)} MB. Look it through: CHARTER_DATA=${folder} charter verify --all`,
    json: { folder, bytes },
  };
}
