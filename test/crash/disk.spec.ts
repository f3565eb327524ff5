import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteLog } from '@charter/event-log';
import { compiledEventLog } from './compiled';

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

describe('R1: A disk that becomes full during an append', () => {
  it('leaves one append with an unknown outcome, and the log then refuses all writes; a restart finds every acknowledged event', async () => {
    const file = join(folder, 'log.db');
    const { stdout } = spawnSync(
      'bash',
      ['-c', limited, 'bash', process.execPath, join(__dirname, 'children/failing.cjs'), folder, file],
      {
        encoding: 'utf8',
      },
    );
    const report = JSON.parse(stdout) as { acknowledged: number; failures: string[]; healthy: boolean; read: number };

    expect(report.acknowledged).toBeGreaterThan(50);
    // two appends fail: the append that reaches the limit, and the next append
    expect(report.failures).toEqual(['unavailable', 'unavailable']);
    expect(report.healthy).toBe(false);
    expect(report.read).toBe(report.acknowledged); // the log still answers reads

    const log = await SqliteLog.open({ file, role: 'server' });
    expect(await log.lag('0'.repeat(20))).toBeGreaterThanOrEqual(report.acknowledged);
    expect(log.healthy).toBe(true);
    await log.close();
  });
});

/**
 * Limits the size of files to 2048 KiB. A write beyond this limit fails with EFBIG, which SQLite reports as an I/O
 * error.
 */
const limited = 'ulimit -f 2048; exec "$@"';
