import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compiledEventLog } from './compiled';
import { flushesBeforeEach } from './flushes';
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

    const flushes = flushesBeforeEach(readFileSync(trace, 'utf8'));
    expect(flushes.length).toBeGreaterThanOrEqual(500);
    expect(flushes.filter((count) => count < 1)).toEqual([]);
  }, 60_000);
});
