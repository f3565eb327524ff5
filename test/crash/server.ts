import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandLine } from '../cli/command-line';

/** The built server as a process of its own, which said that it is ready. */
export type Running = Readonly<{
  url: string;
  pid: number;
  /** Milliseconds from its start until it was ready. */
  readyAfter: number;
  /** `kill -9`: nothing is flushed, nobody is told. */
  kill: () => Promise<void>;
  /** By which signal it ended, once it has. */
  ended: Promise<NodeJS.Signals | null>;
}>;

/** Starts the server on the stores of a command line. @throws what it said, if it ended instead */
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

/** Starts the server and kills it after so many milliseconds, wherever it is by then. */
export async function startedAndKilled(charter: CommandLine, after: number): Promise<void> {
  const child = launched(charter);
  await pause(after);
  await killed(child);
}

type Settings = Readonly<Record<string, string>>;
const launched = (charter: CommandLine, settings: Settings = {}) =>
  charter.start(['serve'], { PORT: '0', CHARTER_DEMO: 'off', ...settings });

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`The server had ended by itself, with ${child.exitCode}.`);
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}

/** Reads on for ever, so that the server never waits for whoever reads what it logs. */
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

/** It answers, whatever that is. */
export const isAlive = (url: string): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    ({ ok }) => ok,
    () => false,
  );

/** It says so, and keeps its read model: one that only waits for its turn answers from an old one. */
export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  const { checks } = answer?.ok ? ((await answer.json()) as { checks: { projection: { phase: string } } }) : {};
  return checks?.projection.phase === 'running';
}
