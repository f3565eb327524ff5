import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const running = new Set();

/** Ends all child processes that still run. A bench calls this before it ends. */
export const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

/** Starts a file as a child process, which ends with this process. */
export function begin(file, { flags = [], args = [], env = {} } = {}) {
  const child = spawn(process.execPath, [...flags, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return tracked(child);
}

/**
 * Starts a file of `children/` as a child process. `ask` sends a message to the child, and resolves with its answer.
 */
export function talk(name, { flags = [] } = {}) {
  const child = fork(join(import.meta.dirname, 'children', name), { execArgv: flags });
  let waiting;
  child.on('message', (answer) => waiting.resolve(answer));
  child.on('exit', (code) => waiting?.reject(new Error(`${name} ended with ${code}.`)));
  const ask = (message) => {
    waiting = Promise.withResolvers();
    child.send(message);
    return waiting.promise;
  };
  return { ...tracked(child), ask };
}

function tracked(child) {
  running.add(child);
  const ended = once(child, 'exit').then(() => running.delete(child));
  return {
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
