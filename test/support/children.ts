import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The child processes that still run. After a failed spec, Jest would wait for these processes for ever. */
const running = new Set<ChildProcess>();
afterAll(() => Promise.all([...running].map(killed)));

/** Kills the child process after all specs of the file, if it still runs. */
export function killedAfterSpecs<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
