import { styleText } from 'node:util';
import type { Answer } from './answer';
import { problemOf } from './problem';

export type Voice = Readonly<{ json?: true; verbose?: true }>;

/** One document for programs, or text for people. */
export function print({ text, json }: Answer, voice: Voice): void {
  process.stdout.write(voice.json ? `${JSON.stringify(json, null, 2)}\n` : `${text}\n`);
}

/** Why nothing came of it: the problem for programs, one sentence for people. The stack only where it was asked for. */
export function printFailure(error: unknown, voice: Voice): void {
  const { problem, refused } = problemOf(error);
  if (voice.json) process.stdout.write(`${JSON.stringify(problem, null, 2)}\n`);
  else process.stderr.write(`${red(refused ? 'refused:' : 'charter:')} ${problem.detail}\n`);
  if (voice.verbose) process.stderr.write(`${(error instanceof Error && error.stack) || String(error)}\n`);
}

export const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';

/** In colour on a terminal, and nowhere if NO_COLOR is set. */
const red = (text: string) => styleText('red', text, { stream: process.stderr });
