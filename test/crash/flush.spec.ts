import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledEventLog } from './compiled';
import { strace } from './strace';

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

describe('N2: An acknowledgement', () => {
  it('comes only after a flush to the disk, 500 times in a row', () => {
    const trace = join(folder, 'trace');
    const writer = [
      process.execPath,
      join(__dirname, 'children/writer.cjs'),
      folder,
      join(folder, 'log.db'),
      '1',
      '1000',
    ];
    const calls = 'trace=fsync,fdatasync,write';
    spawnSync(strace(), ['-f', '-q', '-e', calls, '-s', '8', '-o', trace, ...writer], { stdio: 'ignore' });

    const flushes = flushesUntilEach(readFileSync(trace, 'utf8'));
    expect(flushes.length).toBeGreaterThanOrEqual(500);
    // the nth of one caller's acknowledgements needs n flushes: an early one shows each time, not only at the first
    expect(flushes.flatMap((count, index) => (count > index ? [] : [{ acknowledgement: index + 1, count }]))).toEqual(
      [],
    );
  }, 60_000);
});

/** For each acknowledgement on stdout, the number of flushes of the writing thread since the log was ready. */
function flushesUntilEach(trace: string): readonly number[] {
  const lines = trace.slice(trace.indexOf('write(1, "ready')).split('\n');
  const threads = new Map<string, number>();
  const counts: ReadonlyMap<string, number>[] = [];
  for (const line of lines) {
    const [thread = ''] = line.split(' ', 1);
    if (/(fsync|fdatasync)(\(\d+\)| resumed>.*\)) += 0/.test(line)) threads.set(thread, (threads.get(thread) ?? 0) + 1);
    if (/write\(1, "ack /.test(line)) counts.push(new Map(threads));
  }
  const [writer = ''] = [...threads].toSorted(([, a], [, b]) => b - a)[0] ?? []; // the checkpointer flushes rarely
  return counts.map((count) => count.get(writer) ?? 0);
}
