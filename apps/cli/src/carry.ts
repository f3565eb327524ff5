import { createReadStream, existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { carryInto, linesOf, NotCarried, nowhere, type Sum, sumOfLines, sumOfLog } from '@charter/event-log';
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
    .description('append what is in a file, at the same revisions; again after an interruption it goes on')
    .action((file: string) => onStores((charter, desk) => carriedIn(charter, file, desk), 'may be founded'));
}

async function carriedOut({ log }: Charter, out: string, desk: Desk): Promise<Answer> {
  if (existsSync(out)) throw new Declined('file-exists', 409, `There is a file at ${out} already.`);
  const show = desk.progress('events', (await log.lag?.(nowhere)) ?? 0);
  const partial = `${out}.partial`;
  const file = await open(partial, 'w', 0o600);
  try {
    const lines = linesOf(log, new Date().toISOString());
    let [written, piece] = [0, ''];
    let step = await lines.next();
    for (; step.done !== true; step = await lines.next()) {
      piece += `${step.value}\n`;
      written += 1;
      if (piece.length < PIECE) continue;
      await file.appendFile(piece);
      piece = '';
      show(written);
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

async function carriedIn({ log }: Charter, file: string, desk: Desk): Promise<Answer> {
  if (!existsSync(file)) throw new Declined('no-file', 404, `There is no file at ${file}.`);
  const whole = await sumOfLines(linesIn(file)).catch(refused); // nothing is written before all of it is believed
  await carryInto(log, linesIn(file), desk.progress('events', whole.events)).catch(refused);
  const sum = await sumOfLog(log);
  if (sum.hash !== whole.hash)
    return {
      text: `All ${spokenCount(whole.events, 'event')} are in, and the log holds others too: ${spokenCount(sum.events, 'event')} in all.`,
      json: { ok: false, ...sum, expected: whole },
      ok: false,
    };
  return told(sum, 'in and verified. Build the read model: charter projections rebuild');
}

const linesIn = (file: string) => createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });

function refused(error: unknown): never {
  if (error instanceof NotCarried) throw new Declined('not-carried', 422, error.message);
  throw error;
}

const told = (sum: Sum, what: string): Answer => ({
  text: `${spokenCount(sum.events, 'event')} of ${spokenCount(sum.streams, 'stream')}, hash ${sum.hash}: ${what}.`,
  json: { ok: true, ...sum },
});
