import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiledOnce } from '../support/compiled';
import { killedAfterSpecs } from '../support/children';

/** One call of the command line: its arguments, its whole environment, its folder, and its standard input. */
export type CommandCall = Readonly<{
  args: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
  input?: string;
}>;
export type Ended = Readonly<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;

let kept: ChildProcess | undefined;
let isBusy = false;

/**
 * Runs a command in a process that all tests of a spec file share. Returns undefined if this process is busy with
 * another command, because each command that runs at the same time needs a process of its own.
 */
export function runInKeptProcess(main: string, call: CommandCall): Promise<Ended> | undefined {
  if (isBusy) return undefined;
  isBusy = true;
  if (kept?.connected !== true) kept = started(main);
  return answerOf(kept, call).finally(() => {
    isBusy = false;
  });
}

const started = (main: string) =>
  killedAfterSpecs(
    fork(join(__dirname, 'command-runner.cjs'), [main], { env: { ...process.env, ...compiledOnce }, execArgv: [] }),
  );

/** Sends the command, and resolves with its answer. @throws if the process ends, for example after a defect */
async function answerOf(child: ChildProcess, call: CommandCall): Promise<Ended> {
  const stop = new AbortController();
  child.send(call);
  const answered = once(child, 'message', stop).then(([answer]) => answer as Ended);
  const failed = once(child, 'exit', stop).then(([code, signal]) => {
    throw new Error(`charter ${call.args.join(' ')} ended its process with ${String(code ?? signal)}.`);
  });
  try {
    return await Promise.race([answered, failed]);
  } finally {
    stop.abort();
    void Promise.allSettled([answered, failed]);
  }
}
