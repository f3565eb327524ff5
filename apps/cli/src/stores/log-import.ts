import { createReadStream, statSync } from 'node:fs';
import { isLogError } from '@charter/event-log';
import { carriedAlready, carryInto, linesIn, NotCarried, type Sum, sumOfLines, sumOfLog } from '@charter/integrity';
import type { Charter } from '@charter/application';
import type { Command } from 'commander';
import type { Answer } from '../terminal/command-answer';
import type { Desk, Doing } from '../terminal/action-runner';
import { Declined } from '../terminal/problem';
import { spokenCount } from '../terminal/amounts';

export function addCarry(program: Command, { onStores }: Doing): void {
  program
    .command('import')
    .argument('<file>', 'what `export` wrote')
    .description('append what is in a file to an empty log, at the same revisions; after an interruption it goes on')
    .action((file: string) => onStores((charter, desk) => carriedIn(charter, file, desk), 'may be founded'));
}

async function carriedIn({ log, settings }: Charter, file: string, desk: Desk): Promise<Answer> {
  const { sum: whole, ...closing } = await sumOfLines(linesOfFile(file, desk)).catch(refused); // nothing is written before all of it is believed
  const already = await carriedAlready(log, linesOfFile(file)).catch(refused);
  // One file takes appends in the order in which they are sent; on a server those of two streams overtake each other.
  const atOnce = settings.eventStore ? 1 : FILE_AT_ONCE;
  const show = desk.progress('events', whole.events);
  await carryInto(log, linesOfFile(file), { already, atOnce, onEvents: show }).catch(refused);
  const sum = await sumOfLog(log, desk.progress('verified', whole.events));
  if (sum.hash !== whole.hash)
    return {
      text: `All ${spokenCount(whole.events, 'event')} are in, and the log holds others too: ${spokenCount(sum.events, 'event')} in all.`,
      json: { ok: false, ...printed(sum, sum.hash), expected: printed(whole, whole.hash) },
      ok: false,
    };
  const before = already === 0 ? '' : `, ${spokenCount(already, 'event')} of them since before`;
  return {
    text: `${spokenCount(sum.events, 'event')} of ${spokenCount(sum.streams, 'stream')}, head ${closing.head}: in and verified${before}. Build the read model: charter projections rebuild`,
    json: { ok: true, ...printed(sum, closing.head) },
  };
}

const FILE_AT_ONCE = 64;

/** The lines of a file, read piece by piece; with a desk it shows how far. @throws Declined when there is none */
export function linesOfFile(file: string, desk?: Desk): AsyncGenerator<string> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Declined('no-file', 404, `There is no file at ${file}.`);
  return linesIn(piecesOf(file, desk));
}

async function* piecesOf(file: string, desk?: Desk): AsyncGenerator<Buffer> {
  const show = desk?.gauge('read');
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
    throw new Declined('interrupted', 503, 'The event log does not answer. Say it again: it goes on where it was.');
  if (error instanceof NotCarried) throw new Declined('not-carried', 422, error.message, error.flaw);
  throw error;
}

/** `api.md`, Command line. */
const printed = ({ events, streams }: Sum, head: string) => ({ events, streams, head });
