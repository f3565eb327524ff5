import { setTimeout as pause } from 'node:timers/promises';
import { askDuring, meetingPlaces } from '../../crash/callers';
import { ended } from '../../cli/command-line';
import { caughtUp, expectWhole } from '../../processes/observing';
import { exitOf, type Process, type Several, several } from '../../support/network/processes';
import { until } from '../../support/serving';
import { times } from '../length';
import { cliWith, grown } from '../histories/rebuild-deployments';

let all: Several;
let server: Process;
let key: string;
beforeAll(
  async () => {
    all = await several();
    server = await all.start();
    key = await all.key();
    await grown(all.charter);
    await caughtUp(all);
  },
  times(240_000, 3_600_000),
);
afterAll(() => all.end());

const live = async () => (await all.charter.view.editions()).find(({ place }) => place === 'live')!.edition;

/** Starts a rebuild on the command line, and resolves when it has begun. */
async function rebuilding() {
  const child = cliWith(all.settings)('projections', 'rebuild', '--json');
  const over = ended(child);
  await until(async () => (await all.charter.view.editions()).some(({ place }) => place === 'building'), 30_000);
  await pause(Math.random() * 200);
  expect(child.exitCode).toBeNull();
  return { child, over };
}

describe('Q8: A stop during a start', () => {
  it('ends a process that is still starting', async () => {
    for (const after of [50, 400, 900]) {
      const child = all.launch();
      const ended = exitOf(child);
      await pause(after);
      child.kill('SIGTERM');
      const { code, signal, afterMs } = await ended;
      expect([after, code === 0 || signal === 'SIGTERM', afterMs < 15_000]).toEqual([after, true, true]);
    }
  }, 60_000);
});

describe('Q8: A stop in the middle of a rebuild', () => {
  it('ends the rebuild command within seconds without a stack trace; the live edition stays live, and the server stays ready', async () => {
    const before = await live();
    for (let time = 0; time < times(3, 20); time += 1) {
      const { child, over } = await rebuilding();
      const ending = exitOf(child);
      child.kill('SIGTERM');
      const { signal, afterMs } = await ending;
      expect([signal, afterMs < 10_000]).toEqual(['SIGTERM', true]);
      expect((await over).stderr).not.toContain('    at '); // stderr contains no stack trace
      expect([await live(), (await server.health()).status]).toEqual([before, 200]);
    }
  });

  it.each([1, 2])(
    'ends a server under load after %i signals without waiting for the rebuild, and the rebuild continues',
    async (signals) => {
      const before = await live();
      const places = await meetingPlaces({ url: server.url, key }, 3);
      const { over } = await rebuilding();
      const stopping = async () => {
        await pause(300);
        for (let time = 1; time < signals; time += 1) {
          server.signal('SIGTERM');
          await pause(200); // two signals within two seconds count as one
        }
        return server.stop();
      };
      const stopped = stopping();
      const operations = await askDuring({ url: server.url, key }, places, stopped);
      const { code, afterMs } = await stopped;
      expect([code, afterMs < 15_000]).toEqual([0, true]);
      server = await all.start();
      const { code: rebuilt, stderr } = await over;
      expect([rebuilt, stderr]).toEqual([0, '']);
      expect(await live()).toBeGreaterThan(before);
      await expectWhole(all, operations);
    },
  );
});
