import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ended } from '../../cli/command-line';
import type { Operation } from '../../crash/callers';
import { begunLife, type Life } from '../../crash/life';
import { expectEqualReadModel } from '../../crash/oracle';
import { strace } from '../../crash/strace';
import { expectClearOutcomes } from '../../operation/broken-store';
import { send } from '../../support/requests/http';

const main = resolve(__dirname, '../../../dist/apps/api/apps/cli/src/main.js');

let life: Life;
beforeEach(async () => {
  life = await begunLife({ RATE_LIMITS: 'off' });
}, 60_000);
afterEach(() => life.end());

const count = (operations: readonly Operation[], outcome: Operation['outcome']) =>
  operations.filter((operation) => operation.outcome === outcome).length;

/**
 * From now on the system calls that `injection` names fail for this file and its write-ahead log. `calls` returns the
 * recorded system calls.
 */
async function failing(
  file: string,
  injection: string,
): Promise<{ calls: () => readonly string[]; end: () => Promise<void> }> {
  const notes = join(life.charter.data, 'calls');
  const paths = [file, `${file}-wal`].flatMap((path) => ['-P', path]);
  const calls = ['-e', 'trace=fsync,fdatasync,pwrite64', '-e', `inject=${injection}`];
  const tracer = spawn(strace(), [
    '-f',
    '-y',
    '-s',
    '0',
    '-o',
    notes,
    ...calls,
    ...paths,
    '-p',
    String(life.server().pid),
  ]);
  await attached(tracer);
  return {
    calls: () =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter((line) => /(fsync|fdatasync|pwrite64)\(/.test(line)),
    end: async () => {
      const over = once(tracer, 'exit');
      tracer.kill('SIGINT'); // makes the tracer detach from the server
      await over;
    },
  };
}

function attached(tracer: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let said = '';
    tracer.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/ attached/.test(said)) setTimeout(done, 300); // After this time the tracer is attached to all threads.
    });
    tracer.once('exit', (code) => failed(new Error(`strace ended with ${String(code)}: ${said}`)));
  });
}

/** Checks that after the first failed call the server writes and flushes nothing. */
function expectNothingAfterFailure(calls: readonly string[], injection: string): void {
  const failed = calls.findIndex((line) => /= -1 E(IO|ROFS) .*\(INJECTED\)/.test(line));
  expect(failed).toBeGreaterThanOrEqual(0);
  const again = new RegExp(`^\\d+ +(pwrite64|${injection.split(':')[0]!.replace(',', '|')})\\(.*= \\d+$`);
  expect(calls.slice(failed + 1).filter((line) => again.test(line))).toEqual([]);
}

/** Checks that the server answers queries, and that its health says that it is not ready. */
async function expectReading(): Promise<void> {
  const { url } = life.server();
  expect((await send(`${url}/health/ready`, 'GET', {})).status).toBe(503);
  expect((await send(`${url}/health/live`, 'GET', {})).status).toBe(200);
  expect((await send(`${url}/api/v1/organizations?limit=10`, 'GET', { key: life.key })).status).toBe(200);
}

describe('R2: Failing disk', () => {
  it.each([
    ['with one failing flush', 'fsync,fdatasync:error=EIO:when=1'],
    ['with failing flushes', 'fsync,fdatasync:error=EIO'],
    ['that has become read-only', 'pwrite64:error=EROFS'],
  ])(
    'that contains the event log, %s: lets the server write nothing until a restart, but answer queries',
    async (_, injection) => {
      await life.during(() => pause(500));
      const failure = await failing(life.charter.events, injection);
      const operations = await life.during(() => pause(3_000));
      expectClearOutcomes(operations);
      expect(count(operations, 'unknown')).toBeGreaterThan(10);

      expectNothingAfterFailure(failure.calls(), injection);
      await failure.end();
      // the disk works again, but the server writes nothing to it until its restart
      const later = await life.during(() => pause(1_000));
      expect(count(later, 'acknowledged')).toBe(0);
      await expectReading();

      await life.restart();
      await expectEqualReadModel(life.charter, 'complete');
    },
  );

  it.each([
    ['with one failing flush', 'fsync,fdatasync:error=EIO:when=1'],
    ['with failing flushes', 'fsync,fdatasync:error=EIO'],
    ['that has become read-only', 'pwrite64:error=EROFS'],
  ])(
    'that contains the tables, %s: lets the server write no table until a restart; no accepted command is lost',
    async (_, injection) => {
      await life.during(() => pause(500));
      const failure = await failing(life.charter.documents, injection);
      const operations = await life.during(() => pause(3_000));
      expectClearOutcomes(operations);
      expect(
        count(
          operations.filter(({ request: { key } }) => key !== undefined),
          'unknown',
        ),
      ).toBeGreaterThan(10);
      expectNothingAfterFailure(failure.calls(), injection);
      await failure.end();
      // the disk works again, but the server writes nothing to it until its restart
      const later = await life.during(() => pause(1_000));
      expect(later.filter(({ request: { key }, outcome }) => key !== undefined && outcome === 'acknowledged')).toEqual(
        [],
      );
      await expectReading();
      await life.restart();
      await expectEqualReadModel(life.charter, 'complete');
    },
  );

  it('that is read-only prevents the start of the server, and one sentence names the data folder', async () => {
    const { data } = life.charter;
    const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
    const args = ['-m', 'sh', '-c', readOnly, data, process.execPath, main, 'serve'];
    const env = { PATH: process.env['PATH'], CHARTER_DATA: data, PORT: '0', CHARTER_DEMO: 'off' };
    if (spawnSync('unshare', ['-m', 'true']).status !== 0)
      throw new Error('This test mounts a folder read-only for one process: run it as root, where unshare can.');
    const { code, stdout, stderr } = await ended(spawn('unshare', args, { env }));
    expect(code).toBeGreaterThan(0);
    expect((stdout + stderr).trim()).toMatch(/^[^\n]*cannot be written[^\n]*$/);
    expect(stdout + stderr).toContain(data);
  });
});
