import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compile, compiledEventLog } from './compiled';
import { flushesBeforeEach } from './flushes';
import { strace } from './strace';

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles the code of a worker thread of the tables to JavaScript. The code imports no other file of Charter. */
function threadOfTables(name: 'committer' | 'checkpointer'): string {
  const target = join(folder, 'tables', `${name}.js`);
  compile(join(__dirname, `../../libs/database/src/sqlite/${name}.ts`), target);
  return target;
}

/** Runs a program of `children` under strace, with these flags. */
function traced(child: string, args: readonly string[], ...flags: readonly string[]) {
  const trace = join(folder, `trace-${child}-${Math.random()}`);
  const calls = 'trace=fsync,fdatasync,pwrite64,ftruncate,write';
  const program = [process.execPath, join(__dirname, 'children', child), ...args];
  const { stdout } = spawnSync(strace(), ['-f', '-y', '-s', '8', '-e', calls, ...flags, '-o', trace, ...program], {
    encoding: 'utf8',
  });
  return { stdout, calls: readFileSync(trace, 'utf8') };
}
const fails = (file: string, when = '1+') => ['-P', file, '-e', `inject=fsync,fdatasync:error=EIO:when=${when}`];

describe('The thread that commits the tables', () => {
  const committer = threadOfTables('committer');

  it('N2: acknowledges each of 50 commits only after a flush', () => {
    const { calls } = traced('committing.cjs', [committer, join(folder, 'tables.db'), '50', 'in-turn']);
    const flushes = flushesBeforeEach(calls);
    expect(flushes).toHaveLength(50);
    expect(flushes.filter((count) => count < 1)).toEqual([]);
  }, 60_000);

  it('R2: refuses every commit after a failed flush, because a later flush could succeed without the data', () => {
    const file = join(folder, 'failing.db');
    spawnSync(process.execPath, [join(__dirname, 'children/committing.cjs'), committer, file, '1', 'in-turn']);
    const { stdout } = traced('committing.cjs', [committer, file, '3', 'together'], ...fails(`${file}-wal`, '1'));
    const outcomes = JSON.parse(stdout.trim().split('\n').at(-1)!) as object[];
    expect(outcomes).toEqual(Array(3).fill({ why: 'disk I/O error', errcode: IOERR_FSYNC }));
  }, 60_000);
});
const IOERR_FSYNC = 1034;

describe.each([
  ['log', folder],
  ['tables', threadOfTables('checkpointer')],
])('The checkpoint thread of the %s', (store, code) => {
  it('flushes the file before it truncates the write-ahead log', () => {
    const file = join(folder, `${store}-idle.db`);
    const { stdout, calls } = traced('idle.cjs', [store, code, file]);
    expect(JSON.parse(stdout)).toEqual({ healthy: true, cut: true });
    expect(callsBeforeCut(calls, file)).toEqual(expect.arrayContaining(['pwrite64', 'flush']));
    expect(callsBeforeCut(calls, file).at(-1)).toBe('flush');
  }, 60_000);

  it('R2: treats a failed flush as final, and does not change the write-ahead log', () => {
    const file = join(folder, `${store}-failing.db`);
    // creates the file before strace runs
    spawnSync(process.execPath, [join(__dirname, 'children/idle.cjs'), store, code, file]);
    const { stdout } = traced('idle.cjs', [store, code, file], ...fails(file));
    expect(JSON.parse(stdout)).toEqual({ healthy: false, cut: false });
  }, 60_000);
});

describe('The thread that writes the log', () => {
  it('empties the write-ahead log at a close, after the last append', () => {
    const { stdout } = traced('closing.cjs', [folder, join(folder, 'closing.db')]);
    expect(JSON.parse(stdout)).toEqual({ wal: 0, outcomes: ['stored'] });
  }, 60_000);

  it('R2: does not empty the write-ahead log at a close after a failed flush', () => {
    const file = join(folder, 'broken.db');
    spawnSync(process.execPath, [join(__dirname, 'children/closing.cjs'), folder, file]); // creates the file
    const { stdout } = traced('closing.cjs', [folder, file], ...fails(`${file}-wal`));
    expect(JSON.parse(stdout)).toEqual({ wal: expect.any(Number) as number, outcomes: ['unavailable'] });
    expect(JSON.parse(stdout)).not.toMatchObject({ wal: 0 });
  }, 60_000);
});

describe('The threads of the log', () => {
  // A checkpoint flushes only if no append comes meanwhile. The checkpoint would be slow if strace traced its writes.
  const flushesOnly = ['--seccomp-bpf', '-e', 'trace=fsync,fdatasync,ftruncate'];

  it.each([
    { of: 'a checkpoint of a large write-ahead log', path: '', mib: '70', when: '1' },
    { of: 'a commit, before the checkpoint thread has started', path: '-wal', mib: '0', when: '1+' },
    { of: 'a commit, after the checkpoint thread has started', path: '-wal', mib: '0', when: '8' },
  ])(
    'R2: never flush or truncate again after a failed flush of $of, even at the close',
    ({ path, mib, when }) => {
      const file = join(folder, `broken-${mib}-${when}.db`);
      spawnSync(process.execPath, [join(__dirname, 'children/broken.cjs'), folder, file, mib]);
      const { calls } = traced('broken.cjs', [folder, file], ...flushesOnly, ...fails(`${file}${path}`, when));
      expect(callsAfterFailure(calls)).toEqual([]);
    },
    60_000,
  );
});

describe('The connections of the tables', () => {
  it.each([
    { of: 'a checkpoint', path: '', when: '1' },
    { of: 'a commit', path: '-wal', when: '3' },
  ])(
    'R2: never flush or truncate again after a failed flush of $of, even at the close',
    ({ of, path, when }) => {
      const file = join(folder, 'tables', `${of}.db`);
      spawnSync(process.execPath, [join(__dirname, 'children/broken-tables.mjs'), file]); // creates the file
      const { stdout, calls } = traced('broken-tables.mjs', [file], ...fails(`${file}${path}`, when));
      expect(JSON.parse(stdout)).toEqual({ failed: true });
      expect(callsAfterFailure(calls)).toEqual([]);
      expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
    },
    60_000,
  );
});

/** The lines of strace's output after its first failed call. */
function callsAfterFailure(trace: string): readonly string[] {
  const lines = trace.split('\n').filter((line) => line.includes('('));
  const failed = lines.findIndex((line) => line.endsWith('(INJECTED)'));
  if (failed < 0) throw new Error('No call has failed.');
  return lines.slice(failed + 1);
}

/** The writes and flushes of the file up to the truncation of the write-ahead log. */
function callsBeforeCut(trace: string, file: string): readonly string[] {
  const found: string[] = [];
  for (const line of trace.split('\n')) {
    if (line.includes(`ftruncate(`) && line.includes(`<${file}-wal>, 0`)) break;
    if (!line.includes(`<${file}>`)) continue;
    if (/(fsync|fdatasync)\(/.test(line)) found.push('flush');
    else if (line.includes('pwrite64(')) found.push('pwrite64');
  }
  return found;
}
