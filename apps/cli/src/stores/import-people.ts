import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Charter, resetBookmark, secretFiles } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { filePath } from '../terminal/argument-values';

export function addImportPeople(program: Command, { withStores }: ActionRunner): void {
  program
    .command('import-people')
    .argument('<file>', 'the documents.db of embedded stores; their server must have stopped', filePath)
    .description('import accounts, sessions, keys, idempotency records, mails and billing messages into empty tables')
    .action((file: string) => withStores((charter) => importPeopleFile(charter, file)));
}

/**
 * Imports the tables whose data is not in the event log. The command `import` imports the log, from which Charter
 * builds the read models.
 */
async function importPeopleFile({ database, settings }: Charter, file: string): Promise<CommandAnswer> {
  if (!existsSync(file)) throw new CommandDeclined('no-file', 404, `There is no file at ${file}.`);
  if (!settings.documentsServer && file === settings.documents)
    throw new CommandDeclined(
      'same-file',
      409,
      `${file} is the file of this installation. Name the file of another installation.`,
    );
  mustOpenWhatIsSealed(settings, file);
  const rows = await database.importPeople(file);
  // The imported tables may be older than the log, so the next start compares them with the whole log.
  await resetBookmark(database.marks);
  const text = [
    `${countText(rows.accounts, 'account')}, ${countText(rows.sessions, 'session')}, ${countText(rows.api_keys, 'key')}, `,
    `${countText(rows.receipts, 'idempotency record')} and ${countText(rows.mails, 'mail')} are imported.`,
  ];
  return { text: text.join(''), json: { ...rows } };
}

/**
 * Refuses tables that were encrypted with another session secret, because Charter could not read them. Embedded stores
 * have the secret in a file beside them.
 */
function mustOpenWhatIsSealed({ sessionSecret, data }: Charter['settings'], file: string): void {
  const secretFile = secretIn(dirname(file));
  if (!existsSync(secretFile)) return;
  if (readFileSync(secretFile, 'utf8') === (sessionSecret ?? readFileSync(secretIn(data), 'utf8'))) return;
  throw new CommandDeclined(
    'other-secret',
    409,
    `SESSION_SECRET must equal the content of ${secretFile}: mails, links and providers' secrets are sealed with it.`,
  );
}

const secretIn = (folder: string) => join(folder, secretFiles.SESSION_SECRET);
