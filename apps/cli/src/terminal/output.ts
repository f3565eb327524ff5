import { styleText } from 'node:util';
import type { CommandAnswer } from './command-answer';
import { problemOfFailure } from './problem';

export type OutputOptions = Readonly<{ json?: true; verbose?: true }>;

/** Prints a JSON document for programs, or text for people. */
export function print({ text, json, beside }: CommandAnswer, voice: OutputOptions): void {
  const output = beside ? process.stderr : process.stdout;
  output.write(voice.json ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
}

/** Writes to the standard output, and resolves when the reader can accept more text. A closed pipe is not an error. */
export const writeOutput = (piece: string): Promise<void> =>
  new Promise((resolve, reject) =>
    process.stdout.write(piece, (error) => (error && !isBrokenPipe(error) ? reject(error) : resolve())),
  );

/** Whether the reader of the standard output has closed the pipe. */
export const isOutputClosed = (): boolean => process.stdout.destroyed;

/**
 * Prints a failure: the problem document for programs, a sentence for people. With --verbose, also prints the stack.
 */
export function printFailure(error: unknown, voice: OutputOptions): void {
  const { problem, refused } = problemOfFailure(error);
  if (voice.json) process.stdout.write(`${JSON.stringify(problem, null, 2)}\n`);
  else process.stderr.write(`${red(refused ? 'refused:' : 'charter:')} ${problem.detail}\n`);
  if (voice.verbose) process.stderr.write(`${(error instanceof Error && error.stack) || String(error)}\n`);
}

export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');

/** Prints the text in red on a terminal, unless NO_COLOR is set. */
const red = (text: string) => styleText('red', text, { stream: process.stderr });
