import { createReadStream, existsSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import {
  carriedAlready,
  carryInto,
  isLogError,
  linesOf,
  NotCarried,
  type Position,
  type Sum,
  sumOfLines,
  sumOfLog,
} from '@charter/event-log';
import type { Charter } from '@charter/wiring';
import type { Command } from 'commander';
import type { Answer } from './answer';
import type { Desk, Doing } from './desk';
import { Declined } from './problem';
import { spokenCount } from './spoken';

export function addCarry(program: Command, { onStores }: Doing): void {
  program
    .command('export')
    .description('write the whole event log into a file, to carry it into another one')
    .requiredOption('--all', 'every organization, account and key')
    .requiredOption('--out <file>', 'a file that is not there yet')
    .action(({ out }: { out: string }) => onStores((charter, desk) => carriedOut(charter, out, desk)));
  program
    .command('import')
    .argument('<file>', 'what `export` wrote')
    .description('append what is in a file to an empty log, at the same revisions; after an interruption it goes on')
    .action((file: string) => onStores((charter, desk) => carriedIn(charter, file, desk), 'may be founded'));
}

async function carriedOut({ log }: Charter, out: string, desk: Desk): Promise<Answer> {
  if (existsSync(out)) throw new Declined('file-exists', 409, `There is a file at ${out} already.`);
  const partial = `${out}.partial`;
  const file = await open(partial, 'w', 0o600).catch((error: unknown) => {
    throw new Declined(
      'not-writable',
      409,
      `${out} cannot be written (${(error as NodeJS.ErrnoException).code}): is its folder there, and yours?`,
    );
  });
  try {
    const lines = linesOf(log, new Date().toISOString(), throughTheLog(await log.head(), desk));
    let piece = '';
    let step = await lines.next();
    for (; step.done !== true; step = await lines.next()) {
      piece += `${step.value}\n`;
      if (piece.length < PIECE) continue;
      await file.appendFile(piece);
      piece = '';
    }
    await file.appendFile(piece);
    await file.sync();
    await rename(partial, out);
    return told(step.value, `written to ${out}`);
  } finally {
    await file.close();
  }
}

/** How much is written at once, in characters. */
const PIECE = 1_000_000;

/** Positions are no count everywhere, but they show how far it is to the end. */
function throughTheLog(head: Position, desk: Desk) {
  const show = desk.gauge('events');
  const end = Math.max(1, Number(head));
  return (events: number, position: Position) => show(Number(position) / end, String(events));
}

async function carriedIn({ log, settings }: Charter, file: string, desk: Desk): Promise<Answer> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Declined('no-file', 404, `There is no file at ${file}.`);
  const whole = await sumOfLines(linesIn(file, desk)).catch(refused); // nothing is written before all of it is believed
  const already = await carriedAlready(log, linesIn(file)).catch(refused);
  // One file takes appends in the order in which they are sent; on a server those of two streams overtake each other.
  const atOnce = settings.eventStore ? 1 : FILE_AT_ONCE;
  const show = desk.progress('events', whole.events);
  await carryInto(log, linesIn(file), { already, atOnce, onEvents: show }).catch(refused);
  const sum = await sumOfLog(log, desk.progress('verified', whole.events));
  if (sum.hash !== whole.hash)
    return {
      text: `All ${spokenCount(whole.events, 'event')} are in, and the log holds others too: ${spokenCount(sum.events, 'event')} in all.`,
      json: { ok: false, ...printed(sum), expected: printed(whole) },
      ok: false,
    };
  const before = already === 0 ? '' : `, ${spokenCount(already, 'event')} of them since before`;
  return told(sum, `in and verified${before}. Build the read model: charter projections rebuild`);
}

const FILE_AT_ONCE = 64;

/** The lines of a file, read piece by piece; with a desk it shows how far. */
async function* linesIn(file: string, desk?: Desk): AsyncGenerator<string> {
  const show = desk?.gauge('read');
  const size = Math.max(1, statSync(file).size);
  let [rest, read] = ['', 0];
  for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    yield* lines;
    read += piece.length;
    show?.(read / size, `${Math.round(read / 1e6)} MB`);
  }
  if (rest !== '') yield rest;
}

function refused(error: unknown): never {
  if (isLogError(error, 'unavailable'))
    throw new Declined('interrupted', 503, 'The event log does not answer. Say it again: it goes on where it was.');
  if (error instanceof NotCarried) throw new Declined('not-carried', 422, error.message);
  throw error;
}

const told = (sum: Sum, what: string): Answer => ({
  text: `${spokenCount(sum.events, 'event')} of ${spokenCount(sum.streams, 'stream')}, hash ${sum.hash}: ${what}.`,
  json: { ok: true, ...printed(sum) },
});

/** `api.md`, Command line. */
const printed = ({ hash: head, ...counted }: Sum) => ({ ...counted, head });
