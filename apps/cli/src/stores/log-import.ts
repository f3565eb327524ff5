import { closeSync, createReadStream, openSync, statSync } from 'node:fs';
import { isLogError } from '@charter/event-log';
import {
  countImported,
  importLog,
  readLines,
  ImportRefused,
  type LogChecksum,
  checksumOfExport,
  checksumOfLog,
} from '@charter/integrity';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { withoutControlCharacters } from '../terminal/table';
import { CommandDeclined } from '../terminal/problem';
import { countText } from '../terminal/amounts';
import { namedHash } from '../history/export-hash';
import { filePath } from '../terminal/argument-values';

export function addImport(program: Command, { withStores }: ActionRunner): void {
  program
    .command('import')
    .argument('<file>', 'a file that `export` wrote', filePath)
    .description(
      'append the events of a file to an empty log, at the same revisions; after an interruption it continues',
    )
    .action((file: string) =>
      withStores((charter, context) => importLogFile(charter, file, context), 'may be founded'),
    );
}

async function importLogFile(
  { log }: Pick<Charter, 'log'>,
  file: string,
  context: ActionContext,
): Promise<CommandAnswer> {
  // Verifies the whole file before the first append.
  const { sum: whole, ...closing } = await checksumOfExport(linesOfFile(file, context)).catch(refused);
  const already = await countImported(log, linesOfFile(file)).catch(refused);
  const show = context.progress('events', whole.events);
  await importLog(log, linesOfFile(file), { already, onEvents: show }).catch(refused);
  const sum = await checksumOfLog(log, context.progress('verified', whole.events));
  if (sum.hash !== whole.hash)
    return {
      text: `All ${countText(whole.events, 'event')} are imported, but the log also contains other events: ${countText(sum.events, 'event')} in all.`,
      json: { ok: false, ...printed(sum, sum.hash), expected: printed(whole, whole.hash) },
      ok: false,
    };
  const before = already === 0 ? '' : `; earlier runs imported ${countText(already, 'event')}`;
  return {
    text: `${countText(sum.events, 'event')} of ${countText(sum.streams, 'stream')}, ${namedHash(closing)}: imported and verified${before}. Build the read model: charter projections rebuild`,
    json: { ok: true, ...printed(sum, closing.head) },
  };
}

/** Reads a file line by line; `context` shows the progress. @throws CommandDeclined if there is no such file */
export function linesOfFile(file: string, context?: ActionContext): AsyncGenerator<string> {
  const why = whyUnreadable(file);
  if (why !== undefined) throw new CommandDeclined('no-file', 404, why);
  return readLines(piecesOf(file, context));
}

/** The reason why a file cannot be read; `undefined` if it can. */
function whyUnreadable(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return `${file} is not a regular file. Name a file.`;
    closeSync(openSync(file, 'r'));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `There is no file at ${file}.`
      : `${file} cannot be read (${code}). Check its path, and your right to read it.`;
  }
}

async function* piecesOf(file: string, context?: ActionContext): AsyncGenerator<Buffer> {
  const show = context?.gauge('read');
  const size = Math.max(1, statSync(file).size);
  let read = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    yield piece;
    read += piece.length;
    show?.(read / size, `${Math.round(read / 1e6)} MB`);
  }
}

function refused(error: unknown): never {
  if (isLogError(error, 'unavailable'))
    throw new CommandDeclined(
      'interrupted',
      503,
      'The event log does not answer. Run the command again: it continues after the last event.',
    );
  if (error instanceof ImportRefused)
    throw new CommandDeclined('not-carried', 422, withoutControlCharacters(error.message), error.flaw);
  throw error;
}

/** The JSON fields of the command's answer (`api.md`, Command line). */
const printed = ({ events, streams }: LogChecksum, head: string) => ({ events, streams, head });
