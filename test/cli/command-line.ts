import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rebuild } from '@charter/projections';
import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { killedAfterSpecs } from '../support/children';
import { compiledOnce } from '../support/compiled';
import { type Ended, runInKeptProcess } from './kept-process';

const main = resolve(__dirname, '../../dist/apps/api/apps/cli/src/main.js');

/** The parsed JSON that a command printed. Its type is `any`, because each test knows the fields of its command. */
type Document = ReturnType<typeof JSON.parse>;

/** Runs the built command line outside Jest's process, with a new data folder and only the given settings. */
export class CommandLine {
  readonly data = mkdtempSync(join(tmpdir(), 'charter-cli-'));
  readonly events = join(this.data, 'events.db');
  readonly documents = join(this.data, 'documents.db');

  start(
    args: readonly string[],
    settings: Readonly<Record<string, string>> = {},
    stdio: StdioOptions = 'pipe',
  ): ChildProcess {
    return killedAfterSpecs(this.#spawned(args, settings, stdio));
  }

  /** Starts a server. The caller must stop this server. */
  serve(settings: Readonly<Record<string, string>>): ChildProcess {
    return this.#spawned(['serve'], settings);
  }

  #spawned(
    args: readonly string[],
    settings: Readonly<Record<string, string>>,
    stdio: StdioOptions = 'pipe',
  ): ChildProcess {
    return spawn(process.execPath, [main, ...args], { cwd: this.data, env: this.#environment(settings), stdio });
  }

  #environment(settings: Readonly<Record<string, string>>) {
    return { ...compiledOnce, PATH: process.env['PATH'], CHARTER_DATA: this.data, ...settings };
  }

  /**
   * Runs a command, and resolves when it has ended. Commands that follow each other share a process, because a start
   * takes a second of processor time. @param input the standard input; without it, the command gets no input
   */
  async run(args: readonly string[], settings: Readonly<Record<string, string>> = {}, input?: string): Promise<Ended> {
    const call = {
      args,
      environment: this.#environment(settings),
      folder: this.data,
      ...(input !== undefined && { input }),
    };
    const answer = args[0] === 'serve' ? undefined : runInKeptProcess(main, call);
    if (answer) return answer;
    const child = this.start(args, settings);
    if (input !== undefined) child.stdin!.end(input);
    return ended(child);
  }

  /** Runs a command with `--json`. Resolves with the printed document and the exit code. */
  async json(...args: readonly string[]): Promise<{ code: number | null; answer: Document }> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (stderr !== '') throw new Error(`The command wrote to stderr: ${stderr}`);
    return { code, answer: JSON.parse(stdout) };
  }

  /** Verifies the whole log. Resolves with the printed head of the log and the number of its events. */
  async verified(settings: Readonly<Record<string, string>> = {}): Promise<{ head: string; events: number }> {
    return JSON.parse((await this.run(['verify', '--all', '--json'], settings)).stdout);
  }

  /** Opens the same stores in this process while the work runs, because this is faster than a child process. */
  async inside<Result>(work: (charter: Charter) => Promise<Result>): Promise<Result> {
    const charter = await openCharter(parseSettings({ CHARTER_DATA: this.data }), 'beside');
    return work(charter).finally(() => charter.close());
  }

  /** Founds an organization, and assigns these plans of the second line one after the other. */
  found(name: string, ...plans: readonly string[]): Promise<string> {
    return this.inside((charter) => found(charter, name, ...plans));
  }

  /** Assigns a plan of the second line to the organization. */
  plan(id: string, plan: string): Promise<void> {
    return this.inside((charter) => execute(charter, id, { type: 'AssignPlan', data: { line: 'second', plan } }));
  }

  /** Builds the read model from the current log. */
  async rebuild(): Promise<void> {
    await this.inside(({ log, view }) => rebuild(log, view, organizationView));
  }

  remove(): void {
    rmSync(this.data, { recursive: true });
  }
}

export async function found(charter: Charter, name: string, ...plans: readonly string[]): Promise<string> {
  const id = randomUUID();
  await execute(charter, id, { type: 'FoundOrganization', data: { name } });
  for (const plan of plans) await execute(charter, id, { type: 'AssignPlan', data: { line: 'second', plan } });
  return id;
}

/** Executes a command as an operator. */
async function execute({ organizations }: Charter, id: string, command: OrganizationCommand): Promise<void> {
  await organizations.execute(organizationStream(id), command, {
    actor: { kind: 'system', id: 'spec', powers: ['operator'] },
    at: new Date().toISOString(),
    command: randomUUID(),
    correlation: id,
    causation: id,
  });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, stdout, stderr };
}

/**
 * Waits until the condition holds. If the condition never holds, the test fails at its time limit, and the loop ends
 * after the specs of the file.
 */
export async function eventually(holds: () => unknown): Promise<void> {
  while (!(await holds())) {
    if (isOver) throw new Error('The condition did not hold until the specs of this file ended.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
let isOver = false;
afterAll(() => {
  isOver = true;
});
