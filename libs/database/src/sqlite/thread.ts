import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Starts a script of this folder as a thread that works on a database file. The process may end while the thread is
 * still running.
 */
export function threadFor(name: 'checkpointer' | 'committer', file: string): Worker {
  // In specs the script is TypeScript, which Node can load because the script imports no other file of Charter.
  const ending = extname(__filename);
  const execArgv = ending === '.ts' ? ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] : [];
  const thread = new Worker(join(__dirname, `${name}${ending}`), { workerData: { file }, execArgv });
  thread.unref();
  return thread;
}
