import { styleText } from 'node:util';
import type { CommandAnswer } from './command-answer';
import { problemOfFailure } from './problem';
import { jsonText } from './json-text';
import { withoutControlCharacters } from './table';

export type OutputOptions = Readonly<{ json?: true; verbose?: true }>;

/** Prints a JSON document for programs, or text for people. */
export function print({ text, json, beside }: CommandAnswer, voice: OutputOptions): void {
  const output = beside ? process.stderr : process.stdout;
  output.write(voice.json ? `${jsonText(json, 2)}\n` : `${text}\n`);
}

/**
 * Writes to the standard output, and resolves when the reader can accept more text, or when the write has failed. See
 * `reportFailedWrite` and `isOutputClosed`.
 */
export const writeOutput = (piece: string): Promise<void> =>
  new Promise((resolve) =>
    process.stdout.write(piece, (error) => {
      if (error) reportFailedWrite(error);
      resolve();
    }),
  );

let hasWriteFailed = false;

/**
 * Prints why the standard output cannot be written, for example because the disk is full, and sets the exit code 1. A
 * closed pipe is not an error, because a reader such as `head` needs no more text.
 */
export function reportFailedWrite(error: NodeJS.ErrnoException): void {
  if (hasWriteFailed) return;
  hasWriteFailed = true;
  if (isBrokenPipe(error)) return;
  process.exitCode = 1;
  process.stderr.write(`${red('charter:')} The output cannot be written (${error.code}).\n`);
}

/** Whether the standard output accepts no more text: its reader has closed the pipe, or a write has failed. */
export const isOutputClosed = (): boolean => hasWriteFailed;

/**
 * Prints a failure: the problem document for programs, a sentence for people. With --verbose, also prints the stack.
 */
export function printFailure(error: unknown, voice: OutputOptions): void {
  const { problem, refused } = problemOfFailure(error);
  if (voice.json) process.stdout.write(`${jsonText(problem, 2)}\n`);
  else process.stderr.write(`${red(refused ? 'refused:' : 'charter:')} ${cleanLines(problem.detail)}\n`);
  if (voice.verbose) process.stderr.write(`${cleanLines((error instanceof Error && error.stack) || String(error))}\n`);
}

const cleanLines = (text: string) => text.split('\n').map(withoutControlCharacters).join('\n');

const isBrokenPipe = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';

/** Prints the text in red on a terminal, unless NO_COLOR is set. */
const red = (text: string) => styleText('red', text, { stream: process.stderr });
