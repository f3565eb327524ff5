import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { isLogError, type Position } from '@charter/event-log';
import { BrokenChain } from '@charter/integrity';
import {
  type Charter,
  exportWholeLog,
  exportOrganization,
  SignedHeadsInvalid,
  LogIncomplete,
} from '@charter/application';
import type { Command } from 'commander';
import type { CommandAnswer } from '../terminal/command-answer';
import type { ActionContext, ActionRunner } from '../terminal/action-runner';
import { isOutputClosed, writeOutput } from '../terminal/output';
import { CommandDeclined } from '../terminal/problem';
import { refuseUnknownOrganization } from '../organizations/unknown-organization';
import { countText } from '../terminal/amounts';
import { historyProgress } from './history-progress';
import { filePath, organizationId } from '../terminal/argument-values';

export function addExport(program: Command, { withStores }: ActionRunner): void {
  program
    .command('export')
    .argument('[ID]', 'an organization', organizationId)
    .description('write the history of an organization, or the whole event log, into a file that can be verified')
    .option('--all', 'every organization, account and key, to import the log into another event store')
    .option('--out <file>', 'a new file; default for an organization: the standard output', filePath)
    .action((id: string | undefined, { all, out }: { all?: true; out?: string }, command: Command) => {
      if ((id === undefined) === (all === undefined)) command.error('error: name one organization, or --all');
      if (all && out === undefined) command.error("error: required option '--out <file>' not specified");
      return withStores((charter, context) => exported(charter, context, id, out));
    });
}

/**
 * The NDJSON lines of an export; the generator returns the numbers of events and streams, and the hash of the export.
 */
type Lines = AsyncGenerator<string, Sum, undefined>;
type Sum = Readonly<{ events: number; streams: number; head: string }>;

async function exported(charter: Charter, context: ActionContext, id: string | undefined, out: string | undefined) {
  const lines = id === undefined ? ofAll(charter, context) : ofOne(charter, context, id);
  if (out === undefined) {
    const sum = await putting(untilClosed(lines), writeOutput);
    return sum === undefined || isOutputClosed() ? undefined : answerFor(sum, 'head', 'written and signed', 'beside');
  }
  const hash = id === undefined ? 'checksum' : 'head'; // not the head that `verify --all` prints
  return answerFor(await intoFile(lines, out), hash, `written to ${out}, and signed`);
}

async function* ofAll(charter: Charter, context: ActionContext): Lines {
  const onEvent = throughTheLog(await charter.log.head(), context);
  const { hash: head, ...sum } = yield* exportWholeLog(charter, new Date().toISOString(), onEvent);
  return { ...sum, head };
}

async function* ofOne(charter: Charter, context: ActionContext, id: string): Lines {
  const show = await historyProgress(charter, context, id);
  const lines = exportOrganization(charter, id, new Date().toISOString(), context.signal);
  let count = 0;
  for (;;) {
    const step = await lines.next().catch((error: unknown) => {
      if (isLogError(error, 'not-found')) refuseUnknownOrganization(id);
      throw error;
    });
    if (step.done === true) return step.value;
    show((count += 1));
    yield step.value;
  }
}

/** The same lines, until the standard output is closed. Then returns undefined. */
async function* untilClosed(lines: Lines): AsyncGenerator<string, Sum | undefined, undefined> {
  while (!isOutputClosed()) {
    const step = await lines.next();
    if (step.done === true) return step.value;
    yield step.value;
  }
  return undefined;
}

/** The file has a temporary name until it contains all lines. */
async function intoFile(lines: Lines, out: string): Promise<Sum> {
  if (existsSync(out)) refuseExisting(out);
  const partial = `${out}.${randomUUID()}`;
  const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    throw new CommandDeclined(
      'not-writable',
      409,
      `${out} cannot be written (${(error as NodeJS.ErrnoException).code}). Does its folder exist, and may you write to it?`,
    );
  });
  try {
    const sum = await putting(lines, (piece) => file.appendFile(piece));
    await file.sync();
    await giveName(partial, out);
    return sum;
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

/** @throws CommandDeclined if a file of this name exists, for example from another export at the same time */
async function giveName(partial: string, out: string): Promise<void> {
  try {
    await link(partial, out);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(out)) refuseExisting(out);
    await rename(partial, out); // some file systems have no hard links
  }
}

function refuseExisting(out: string): never {
  throw new CommandDeclined('file-exists', 409, `${out} exists already. Name a new file.`);
}

/** Writes the lines of an export, many lines in one write. @throws CommandDeclined if the log cannot be signed */
async function putting<End extends Sum | undefined>(
  lines: AsyncGenerator<string, End, undefined>,
  put: (piece: string) => Promise<void>,
): Promise<End> {
  let piece = '';
  for (;;) {
    const step = await lines.next().catch(refused);
    if (step.done === true) {
      await put(piece);
      return step.value;
    }
    piece += `${step.value}\n`;
    if (piece.length < PIECE) continue;
    await put(piece);
    piece = '';
  }
}

/** The number of characters in one write. */
const PIECE = 1_000_000;

function refused(error: unknown): never {
  if (error instanceof SignedHeadsInvalid)
    throw new CommandDeclined('not-believed', 409, `${error.message} Nothing is signed.`, { reason: error.message });
  if (error instanceof LogIncomplete)
    throw new CommandDeclined('not-whole', 409, error.message, { reason: error.reason });
  if (!(error instanceof BrokenChain)) throw error;
  const { stream, at, reason, message } = error;
  throw new CommandDeclined('broken-chain', 409, message, { stream, at, reason });
}

/**
 * Shows the progress by positions. In some event stores positions do not count events, but they still grow from 0 to
 * the end of the log.
 */
function throughTheLog(head: Position, context: ActionContext) {
  const show = context.gauge('events');
  const end = Math.max(1, Number(head));
  return (events: number, position: Position) => show(Number(position) / end, String(events));
}

/** The text and the JSON fields of the command's answer (`api.md`, Command line). */
const answerFor = (sum: Sum, hash: 'head' | 'checksum', what: string, where?: 'beside'): CommandAnswer => ({
  text: `${countText(sum.events, 'event')} of ${countText(sum.streams, 'stream')}, ${hash} ${sum.head}: ${what}.`,
  json: { ok: true, ...sum },
  ...(where && { beside: true }),
});
