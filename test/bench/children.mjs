import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const running = new Set();

/** Whatever still runs is ended; for the end of this process. */
export const endAll = () => {
  for (const child of running) child.kill('SIGKILL');
};

/** Starts a file as a process of its own. Ends with this one. */
export function begin(file, { flags = [], args = [], env = {} } = {}) {
  const child = spawn(process.execPath, [...flags, file, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return kept(child);
}

/** One of `children/` with a line to it: `ask` sends a message and waits for the answer. */
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
  return { ...kept(child), ask };
}

function kept(child) {
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
