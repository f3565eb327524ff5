import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { type Facade, type FacadeOptions, runningFacade } from '../../facade/running';
import { compiledOnce } from '../compiled';
import { sendChecked } from '../requests/checked-answers';
import type { Answer } from '../requests/http';
import { type Postgres, postgres } from '../stores/postgres';
import { secrets } from '../secrets';
import { clockFrom, keyIn, newFolder, type Served } from '../serving';

const main = resolve(__dirname, '../../../dist/apps/api/apps/cli/src/main.js');

/** How a process ended. */
export type Exit = Readonly<{ code: number | null; signal: NodeJS.Signals | null; afterMs: number }>;

/** A built Charter server in a child process. */
export type Process = Readonly<{
  url: string;
  pid: number;
  ask: Served['ask'];
  /** The last 200,000 characters of standard output and standard error, which contain the log. */
  output: () => string;
  /** The answer of `/health/ready`. */
  health: () => Promise<Answer>;
  /** `kill -9`: the process flushes nothing and closes no connection. */
  kill: () => Promise<Exit>;
  /** Sends SIGTERM; resolves when the process has ended. */
  stop: () => Promise<Exit>;
  signal: (signal: NodeJS.Signals) => void;
  freeze: () => void;
  thaw: () => void;
  exited: Promise<Exit>;
}>;

/** Stores that several server processes share. The process of the spec has opened the same stores. */
export type Several = Readonly<{
  settings: Readonly<Record<string, string>>;
  facade: Facade;
  postgres: Postgres;
  charter: Charter;
  clock: Served['clock'];
  key: Served['key'];
  /** Starts another process, and waits until it is ready. @throws with its output, if it ends before it is ready */
  start: (settings?: Readonly<Record<string, string>>, args?: readonly string[]) => Promise<Process>;
  /** Starts another process without waiting until it is ready. */
  launch: (settings?: Readonly<Record<string, string>>, args?: readonly string[]) => ChildProcess;
  /** Ends every process that was started, and removes the stores. */
  end: () => Promise<void>;
}>;

/**
 * Creates a façade of EventStoreDB and a PostgreSQL schema, but starts no process. After the specs of the file, ends
 * everything that is still open.
 */
export async function several(
  extra: Readonly<Record<string, string>> = {},
  played: FacadeOptions = {},
): Promise<Several> {
  const [facade, database] = await Promise.all([runningFacade(played), postgres()]);
  const folder = newFolder();
  const settings = {
    ...{ PORT: '0', CHARTER_DATA: folder, CHARTER_DEMO: 'off' },
    ...{ ...secrets, EVENT_LOG: `${facade.url}&defaultDeadline=${DEADLINE_MS}`, DOCUMENTS: await database.fresh() },
    ...extra,
  };
  const charter = await openCharter(parseSettings(settings), 'beside');
  const clock = clockFrom();
  const children = new Set<ChildProcess>();

  const launch: Several['launch'] = (more = {}, args = []) => {
    const env = { ...compiledOnce, PATH: process.env['PATH'], ...settings, ...more };
    const child = spawn(process.execPath, [main, 'serve', ...args], { cwd: folder, env });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const end = async () => {
    opened.delete(end);
    await Promise.all([...children].map(killed));
    await charter.close().catch(() => undefined); // fails if the spec has already removed the stores
    await facade.remove();
    await database.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  opened.add(end);
  return {
    ...{ settings, facade, postgres: database, charter, clock, launch, end },
    key: (request = {}) => keyIn(charter, request, clock),
    start: (more, args) => ready(launch(more, args)),
  };
}

/** The deadline of a call to the event store, long enough for a busy machine. Specs about deadlines set another one. */
const DEADLINE_MS = 20_000;

const opened = new Set<() => Promise<void>>();
afterAll(() => Promise.all([...opened].map((end) => end())));

/** A process, with the fields that the helpers for a `Served` service use. */
export const served = ({ charter, clock, key }: Several, { ask, url }: Process) => ({ charter, clock, key, ask, url });

async function ready(child: ChildProcess): Promise<Process> {
  const began = performance.now();
  let output = '';
  const collect = (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-200_000));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = exitOf(child);
  const url = await Promise.race([
    addressIn(() => output),
    exited.then(({ code, signal }) => {
      throw new Error(`The server ended with ${code ?? signal}: ${output}`);
    }),
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const ask: Served['ask'] = (method, path, sent = {}) => sendChecked(`${url}${path}`, method, sent, agent);
  const health = () => ask('GET', '/health/ready');
  while ((await health()).status !== 200) {
    if (performance.now() - began > READY_MS)
      throw new Error(`The server is not ready: ${(await health()).text} ${output}`);
    await pause(20);
  }
  void exited.then(() => agent.destroy());
  const stop = async (signal: NodeJS.Signals) => {
    const began = performance.now();
    child.kill(signal);
    return { ...(await exited), afterMs: performance.now() - began };
  };
  return {
    ...{ url, pid: child.pid!, ask, output: () => output, health, exited },
    kill: () => stop('SIGKILL'),
    stop: () => stop('SIGTERM'),
    signal: (signal) => void child.kill(signal),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

const READY_MS = 60_000;

async function addressIn(output: () => string): Promise<string> {
  for (;;) {
    const url = /Charter answers at (http:\/\/localhost:\d+)/.exec(output())?.[1];
    if (url) return url.replace('localhost', '127.0.0.1');
    await pause(10);
  }
}

export async function exitOf(child: ChildProcess): Promise<Exit> {
  const began = performance.now();
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal, afterMs: performance.now() - began };
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = exitOf(child);
  child.kill('SIGCONT'); // a stopped process receives SIGKILL only after SIGCONT
  child.kill('SIGKILL');
  await ended;
}
