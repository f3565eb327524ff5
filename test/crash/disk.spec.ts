import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteLog } from '@charter/event-log';
import { compiledEventLog } from './compiled';

const folder = compiledEventLog();
afterAll(() => rmSync(folder, { recursive: true }));

describe('R1: a disk that is full while something is written', () => {
  it('stops all writing with an unknown outcome, and a restart finds everything that was acknowledged', async () => {
    const file = join(folder, 'log.db');
    const { stdout } = spawnSync(
      'bash',
      ['-c', limited, 'bash', process.execPath, join(__dirname, 'children/failing.cjs'), folder, file],
      {
        encoding: 'utf8',
      },
    );
    const told = JSON.parse(stdout) as { acknowledged: number; failures: string[]; healthy: boolean; read: number };

    expect(told.acknowledged).toBeGreaterThan(50);
    expect(told.failures).toEqual(['unavailable', 'unavailable']); // the append at the limit, and the one after it
    expect(told.healthy).toBe(false);
    expect(told.read).toBe(told.acknowledged); // reads go on

    const log = await SqliteLog.open({ file, role: 'server' });
    expect(await log.lag('0'.repeat(20))).toBeGreaterThanOrEqual(told.acknowledged);
    expect(log.healthy).toBe(true);
    await log.close();
  });
});

/** A write beyond this size fails with EFBIG, which SQLite takes for what it is: an I/O error. In KiB. */
const limited = 'ulimit -f 2048; exec "$@"';
