import { CommanderError } from 'commander';
import { createActionRunner } from './terminal/action-runner';
import { interruption } from './terminal/interruption';
import { print, printFailure } from './terminal/output';
import { charterProgram } from './program';

/** The exit code, and the signal that stopped the command. */
export type ProgramExit = Readonly<{ code: number; stoppedBy: NodeJS.Signals | undefined }>;

/** Runs the command, prints its answer, and closes the stores. The promise never rejects. */
export async function run(argv: readonly string[]): Promise<ProgramExit> {
  const stop = interruption();
  const { doing, answered, end } = createActionRunner(stop.signal);
  const program = charterProgram(doing);
  const voice = () => program.opts<{ json?: true; verbose?: true }>();
  let code = 0;
  try {
    await program.parseAsync(argv);
    const answer = answered();
    if (answer) print(answer, voice());
    if (answer?.ok === false) code = 1;
  } catch (error) {
    end();
    code = error instanceof CommanderError ? codeOf(error) : 1;
    if (!(error instanceof CommanderError) && !stop.received()) printFailure(error, voice());
  }
  stop.end();
  return { code, stoppedBy: stop.received() };
}

/** Commander has already printed the help, or the usage error with one hint. */
const codeOf = ({ exitCode }: CommanderError) => (exitCode === 0 ? 0 : 2);
