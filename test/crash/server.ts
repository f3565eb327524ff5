import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandLine } from '../cli/command-line';

/** The built server in a child process that has printed that it is ready. */
export type Running = Readonly<{
  url: string;
  pid: number;
  /** The milliseconds from the start of the process until the server was ready. */
  readyAfter: number;
  /** `kill -9`: the process flushes nothing. */
  kill: () => Promise<void>;
  /** The signal that ended the process. */
  ended: Promise<NodeJS.Signals | null>;
}>;

/**
 * Starts the server on the same stores as the command line.
 * @throws an error with the server's output, if the server ends before it prints its address
 */
export async function started(
  charter: CommandLine,
  settings: Settings = {},
  isUp: (url: string) => Promise<boolean> = isReady,
): Promise<Running> {
  const begun = performance.now();
  const child = launched(charter, settings);
  const ended = once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null);
  const url = await addressOf(child);
  while (!(await isUp(url))) await pause(10);
  return { url, pid: child.pid!, readyAfter: performance.now() - begun, kill: () => killed(child), ended };
}

/**
 * Starts the server, and kills it after this number of milliseconds. Resolves with whether the server had answered that
 * it is ready.
 */
export async function startedAndKilled(charter: CommandLine, after: number): Promise<boolean> {
  const child = launched(charter);
  let [wasReady, isOver] = [false, false];
  const watch = async () => {
    const url = await addressOf(child);
    while (!wasReady && !isOver) {
      wasReady = await isHealthy(url, 'ready');
      await pause(5);
    }
  };
  const watching = watch().catch(() => undefined); // the kill may come before the server prints its address
  await pause(after);
  isOver = true;
  await killed(child);
  await watching;
  return wasReady;
}

type Settings = Readonly<Record<string, string>>;
const launched = (charter: CommandLine, settings: Settings = {}) =>
  charter.serve({ PORT: '0', CHARTER_DEMO: 'off', ...settings });

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`The server had ended by itself, with ${child.exitCode}.`);
  if (child.signalCode !== null) return; // the spec has already killed the process
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/**
 * Resolves with the address that the server prints. Reads all output, because the server would block on a full pipe.
 */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-10_000);
      const url = /Charter answers at (http:\/\/localhost:\d+)/.exec(said)?.[1];
      if (url) resolve(url.replace('localhost', '127.0.0.1'));
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('close', (code) => reject(new Error(`The server ended with ${String(code)}: ${said}`)));
  });
}

/** Whether the server answers the liveness check. The server may still not be ready. */
export const isAlive = (url: string): Promise<boolean> => isHealthy(url, 'live');
const isHealthy = (url: string, check: 'live' | 'ready'): Promise<boolean> =>
  fetch(`${url}/health/${check}`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Whether the server is ready and has the lease of the read model. Without the lease, the server's read model may be
 * old.
 */
export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  const { checks } = answer?.ok ? ((await answer.json()) as { checks: { projection: { phase: string } } }) : {};
  return checks?.projection.phase === 'running';
}
