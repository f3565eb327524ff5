import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Charter, resetBookmark } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionRunner } from '../terminal/action-runner';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';

export function addImportPeople(program: Command, { withStores }: ActionRunner): void {
  program
    .command('import-people')
    .argument('<file>', 'the documents.db of embedded stores whose server has stopped')
    .description(
      'carry accounts, sessions, keys, receipts, mails and messages of payment providers into tables that hold none yet',
    )
    .action((file: string) => withStores((charter) => carriedIn(charter, file)));
}

/** The log goes by `import`, read models are built from it; this is what stands in no log. */
async function carriedIn({ documents, settings }: Charter, file: string): Promise<CommandAnswer> {
  if (!existsSync(file)) throw new CommandDeclined('no-file', 404, `There is no file at ${file}.`);
  if (!settings.documentsServer && file === settings.documents)
    throw new CommandDeclined('same-file', 409, `${file} is where these tables are already.`);
  mustOpenWhatIsSealed(settings, file);
  const rows = await documents.importPeople(file);
  await resetBookmark(documents.marks); // the file may be older than the log
  const text = [
    `${countText(rows.accounts, 'account')}, ${countText(rows.sessions, 'session')}, ${countText(rows.api_keys, 'key')}, `,
    `${countText(rows.receipts, 'receipt')} and ${countText(rows.mails, 'mail')} are in.`,
  ];
  return { text: text.join(''), json: { ...rows } };
}

/** Embedded stores keep their secret beside them; under another one, what it has sealed is lost. */
function mustOpenWhatIsSealed({ sessionSecret }: Charter['settings'], file: string): void {
  const kept = join(dirname(file), 'session-secret');
  if (sessionSecret === undefined || !existsSync(kept) || readFileSync(kept, 'utf8') === sessionSecret) return;
  throw new CommandDeclined(
    'other-secret',
    409,
    `SESSION_SECRET must be what stands in ${kept}, or nobody can open what was sealed with it: mails, links, secrets of providers.`,
  );
}
