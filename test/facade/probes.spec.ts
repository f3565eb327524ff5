import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { against, kind, startedTarget, type Target } from './eventstore-target';
import { everydayProbes } from './everyday-probes';
import { type Probe, probes, releaseOf } from './probes';
import { runningFacade } from './running';

/**
 * Registers one test for each probe: the target must answer the official client like real servers (`event-log.md` F).
 * The façade must give the same answers, because other specs rely on it.
 */
const describeProbes = (name: string, start: () => Promise<Pick<Target, 'url' | 'stop'>>, put: readonly Probe[]) =>
  describe(`The official client on ${name}`, () => {
    let target: Awaited<ReturnType<typeof start>>;
    let client: EventStoreDBClient;
    let isLater: boolean;
    beforeAll(async () => {
      target = await start();
      client = EventStoreDBClient.connectionString(target.url);
      isLater = Number.parseInt(await releaseOf(client), 10) > 23;
    }, 120_000);
    afterAll(async () => {
      // `dispose` would wait for ever for streams that were cancelled.
      await Promise.race([client.dispose(), pause(500)]);
      await target.stop();
    });

    it.each(put.map((probe) => [probe.probe, probe] as const))(
      '%s',
      async (_, { put: ask, answer, later }) => {
        const expected = isLater && later !== undefined ? later : answer;
        expect(await ask({ client, url: target.url })).toEqual(expected);
      },
      20_000,
    );
  });

describeProbes(against, startedTarget, [...probes, ...everydayProbes]);

if (kind === 'facade') {
  const differing = probes.filter(({ later }) => later !== undefined);
  describeProbes(
    'the façade that plays release 24.2',
    async () => {
      const facade = await runningFacade({ release: '24.2.0' });
      return { url: facade.url, stop: facade.remove };
    },
    differing,
  );
}
