import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledEventLog } from './compiled';
import { flushesBeforeEach } from './flushes';
import { strace } from './strace';

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

const tracing = (more: readonly string[], ...options: readonly string[]) => {
  const trace = join(folder, `trace-${options.join('-')}`);
  const log = join(folder, `log-${options.join('-')}.db`);
  const writer = [process.execPath, join(__dirname, 'children/writer.cjs'), folder, log, '1', ...options];
  const calls = ['-e', 'trace=fsync,fdatasync,write', ...more];
  spawnSync(strace(), ['-f', '-q', ...calls, '-s', '8', '-o', trace, ...writer], { stdio: 'ignore' });
  return readFileSync(trace, 'utf8');
};

describe('N2: An acknowledgement', () => {
  it('comes only after a flush to the disk, for 500 appends in a row', () => {
    const flushes = flushesBeforeEach(tracing([], '1000'));
    expect(flushes.length).toBeGreaterThanOrEqual(500);
    expect(flushes.filter((count) => count < 1)).toEqual([]);
  }, 60_000);

  it('comes only after a new flush, for each of several appends, even if flushes are slow', () => {
    // a flush takes 10 ms; the next append begins 40 ms after the acknowledgement, when every earlier flush has ended
    const trace = tracing(['-e', 'inject=fsync,fdatasync:delay_enter=10000'], '60', 'server', '40');
    const windows = trace.split(/write\(1, "send/).slice(1);
    const flushes = windows.flatMap((lines) => flushesBeforeEach(lines));
    expect(flushes).toHaveLength(windows.length);
    expect(flushes.length).toBeGreaterThanOrEqual(30);
    expect(flushes.filter((count) => count < 1)).toEqual([]);
  }, 60_000);
});
