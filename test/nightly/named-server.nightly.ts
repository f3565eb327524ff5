import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ended } from '../cli/command-line';
import { all, several, textOf } from '../contract/event-log/under-test';
import { runningFacade } from '../facade/running';
import { openedLog } from '../facade/eventstore-target';

/**
 * The suites that a person can run against an event store. The test runs them in a separate process, with the store's
 * address in EVENTSTORE_URL.
 */
const suites = ['test/contract/eventstore-log.spec.ts', 'test/facade/probes.spec.ts', 'test/api/eventstore.spec.ts'];

it('The suites run twice against the event store of EVENTSTORE_URL, and change no stream of other users', async () => {
  const server = await runningFacade();
  const log = await openedLog(server.url, 'beside');
  await log.append('somebody-elses-1', several(3), { expected: 'no_stream' });
  const jest = join(__dirname, '../../node_modules/jest/bin/jest.js');

  for (const time of [1, 2]) {
    const before = await log.head();
    const child = spawn(process.execPath, [jest, ...suites], {
      cwd: join(__dirname, '../..'),
      env: { ...process.env, EVENTSTORE_URL: server.url, FORCE_COLOR: '0' },
    });
    const { code, stdout, stderr } = await ended(child);
    expect({ time, code, stderr: code === 0 ? '' : stderr }).toEqual({ time, code: 0, stderr: '' });
    expect(stderr).toMatch(/Test Suites: 3 passed, 3 total/);
    expect(stdout).toMatch(/EventStoreDB \(the real server of EVENTSTORE_URL\)/);
    expect((await log.head()) > before).toBe(true);
  }
  expect((await all(log.readStream('somebody-elses-1'))).map(textOf)).toEqual([0, 1, 2]);

  // Each stream has a unique name: it contains a random UUID.
  const names = new Set((await all(log.readAll())).map(({ stream }) => stream));
  const strange = [...names].filter((name) => !/^(contract|organization|account|key)-[0-9a-f]{8}-/.test(name));
  expect(strange.sort()).toEqual(['charter-store', 'somebody-elses-1']);
  await log.close();
  await server.remove();
});

it('The bench over the server of EVENTSTORE_URL prints its table at the end', async () => {
  const server = await runningFacade();
  const root = join(__dirname, '../..');
  const child = spawn(process.execPath, ['test/bench/run.mjs'], {
    cwd: root,
    env: { ...process.env, EVENTSTORE_URL: server.url, BENCH_ONLY: 'eventstore', BENCH_ROUNDS: '1' },
  });
  const { code, stdout, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'eventstore …\n' });
  const measured = stdout.match(/(?<=EventStoreDB \(EVENTSTORE_URL\): )(append|rebuild|add member)/g);
  expect(measured).toEqual(['append', 'append', 'append', 'rebuild', 'add member']);
  expect(stdout).toMatch(/; 1 rounds, \d+ s; load before: /);
  await server.remove();
});
