import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SqliteLog } from '@charter/event-log';
import { compile, compiledEventLog } from './compiled';

const logFolder = compiledEventLog();
afterAll(() => rmSync(logFolder, { recursive: true }));

/** A compiled thread of a store, and the file that sets the thread's pragmas. */
type StoreThread = Readonly<{ code: string; pragmas: string; end: string }>;

function ofTables(name: 'committer' | 'checkpointer'): StoreThread {
  const code = join(logFolder, 'tables', `${name}.js`);
  compile(join(__dirname, `../../libs/database/src/sqlite/${name}.ts`), code);
  return { code, pragmas: code, end: 'end' };
}
const ofLog = (name: 'writer' | 'checkpointer'): StoreThread => ({
  code: join(logFolder, 'sqlite/writing', `${name}.js`),
  pragmas: join(logFolder, 'sqlite/schema.js'),
  end: 'close',
});

/** Starts and ends the thread. Returns the errors with which the thread failed. */
async function errorsOf({ code, end }: StoreThread, file: string): Promise<readonly string[]> {
  const thread = new Worker(code, { workerData: { file } });
  const errors: string[] = [];
  thread.on('error', (error: Error) => errors.push(error.message));
  thread.postMessage(end);
  await new Promise((resolve) => thread.once('exit', resolve));
  return errors;
}

describe.each([
  ['commits the tables', ofTables('committer')],
  ['makes the checkpoints of the tables', ofTables('checkpointer')],
  ['writes the log', ofLog('writer')],
  ['makes the checkpoints of the log', ofLog('checkpointer')],
])('N2: The thread that %s', (name, thread) => {
  const file = join(logFolder, `${name.replaceAll(' ', '-')}.db`);
  // creates the file, whose layout the writer reads
  beforeAll(async () => (await SqliteLog.open({ file, role: 'server' })).close());

  it('works with synchronous = FULL', async () => {
    expect(await errorsOf(thread, file)).toEqual([]);
  });

  it.each(['OFF', 'NORMAL'])('refuses to work with synchronous = %s', async (weaker) => {
    const code = readFileSync(thread.pragmas, 'utf8');
    writeFileSync(thread.pragmas, code.replace('PRAGMA synchronous = FULL', `PRAGMA synchronous = ${weaker}`));
    const errors = await errorsOf(thread, file).finally(() => writeFileSync(thread.pragmas, code));
    expect(errors).toEqual([`${file} cannot be set to synchronous = FULL, which durable writes need.`]);
  });
});
