import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../../cli/command-line';
import type { Operation } from '../../crash/callers';
import { begunLife, type Life } from '../../crash/life';
import { expectEqualReadModel } from '../../crash/oracle';
import { isAlive } from '../../crash/server';
import { expectClearOutcomes } from '../../operation/broken-store';
import { send } from '../../support/requests/http';
import { until } from '../../support/serving';
import { times } from '../length';

let charter: CommandLine;
let life: Life;
beforeEach(async () => {
  charter = onSmallDisk();
  life = await begunLife({ RATE_LIMITS: 'off' }, charter);
}, 60_000);
afterEach(() => life.end());

/** The stores on a separate small disk, which only root may mount. */
function onSmallDisk(): CommandLine {
  const small = new CommandLine();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'charter', small.data]);
  const remove = () => {
    execFileSync('umount', ['--lazy', small.data]);
    rmSync(small.data, { recursive: true });
  };
  return Object.assign(small, { remove });
}
/**
 * The size of the disk in MiB, enough for all requests of this spec. During constant writes, a write-ahead log may grow
 * to 64 MiB.
 */
const DISK_MIB = 256;

const filler = () => join(charter.data, 'filler');

/**
 * Fills the disk to the last byte, and keeps the disk full until the spec calls `free`, even if other files become
 * smaller.
 */
function filled(): { free: () => void } {
  const file = openSync(filler(), 'w');
  const fill = () => {
    for (const size of [8_388_608, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size));
  };
  fill();
  const filling = setInterval(fill, 20).unref();
  return {
    free: () => {
      clearInterval(filling);
      closeSync(file);
      rmSync(filler());
    },
  };
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) if (writeSync(file, bytes) < bytes.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const questions = ['/health/live', '/api/v1/organizations?limit=10'];
const count = (operations: readonly Operation[], outcome: Operation['outcome']) =>
  operations.filter((operation) => operation.outcome === outcome).length;
const status = async (path: string) => (await send(`${life.server().url}${path}`, 'GET', { key: life.key })).status;

describe('R1: A disk that is full', () => {
  it('makes the server refuse commands, but not queries; when the disk has free space again, commands succeed', async () => {
    const { pid } = life.server();
    await life.during(() => pause(500));
    for (let round = 0; round < times(2, 20); round += 1) {
      const disk = filled();
      await life.during(() => pause(3_000)); // the write-ahead logs still have some free pages
      const operations = await life.during(() => pause(2_000));
      expectClearOutcomes(operations);
      expect(count(operations, 'unknown')).toBeGreaterThan(10);
      for (const path of questions) expect([path, await status(path)]).toEqual([path, 200]);
      disk.free();
      await until(async () => (await status('/health/ready')) === 200, 10_000);
      const later = await life.during(() => pause(1_000));
      expect([count(later, 'odd'), count(later, 'acknowledged') > 20]).toEqual([0, true]);
    }
    expect(life.server().pid).toBe(pid);
    await life.reconcile();
    await expectEqualReadModel(charter, 'complete');
  });

  it('lets a killed server start and answer queries; when the disk has free space, no acknowledged command is missing', async () => {
    await life.during(() => pause(500));
    const disk = filled();
    await life.during(() => pause(1_000).then(life.stop));
    await life.rise(isAlive);
    for (const path of questions) expect([path, await status(path)]).toEqual([path, 200]);
    const operations = await life.during(() => pause(1_000));
    expectClearOutcomes(operations);
    expect(count(operations, 'unknown')).toBeGreaterThan(10);
    disk.free();
    await until(async () => (await status('/health/ready')) === 200, 10_000);
    await life.reconcile();
    await expectEqualReadModel(charter, 'complete');
  });
});
