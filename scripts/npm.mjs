import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

export class NpmMissing extends Error {}

/**
 * Runs npm in `root` and returns its exit code, or the signal that ended it. npm's output goes to stderr or, with
 * `quietly`, into the result. Throws NpmMissing.
 */
export async function npm(root, args, { quietly = false } = {}) {
  const [command, ...first] = npmCommand();
  const out = quietly ? 'pipe' : 2;
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: buildEnvironment(),
    stdio: ['ignore', out, out],
  });
  const stopPassing = passSignalsTo(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
  try {
    return { code: await exitOf(child), printed };
  } finally {
    stopPassing();
  }
}

/** Forwards to a child process the signals that would end this process. Returns the function that stops forwarding. */
export function passSignalsTo(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const passOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  return () => {
    for (const signal of signals) process.off(signal, passOn);
  };
}

/**
 * The command that starts npm. If npm has started this script, the command is the same npm, run with the Node of this
 * process. If npm has not started this script, the command is the npm in PATH.
 */
function npmCommand() {
  const running = (process.env.npm_execpath ?? '').replace(/npx-cli\.js$/, 'npm-cli.js');
  return /npm-cli\.js$/.test(running) && existsSync(running) ? [process.execPath, running] : ['npm'];
}

/** The environment for npm, without NODE_ENV: with NODE_ENV=production, npm would not install the build tools. */
function buildEnvironment() {
  const env = { ...process.env };
  delete env.NODE_ENV;
  return env;
}

const exitOf = (child) =>
  new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new NpmMissing(`npm does not start (${error.message}); it comes with Node.`)),
    );
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
