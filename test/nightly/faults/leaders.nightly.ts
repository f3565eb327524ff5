import { setTimeout as pause } from 'node:timers/promises';
import { type Members, twoMembers } from '../../facade/members';
import { type Callers, callersOf, expectClearOutcomes } from '../../operation/broken-store';
import { secrets } from '../../support/secrets';
import { type Served, serving } from '../../support/serving';
import { times } from '../length';

const CHANGES = 10;
const RECOVERED_MS = 30_000;

let members: Members;
let served: Served;
let callers: Callers;
beforeAll(async () => {
  members = await twoMembers();
  await members.lead(0);
  const EVENT_LOG = `esdb://${members.hosts()}?tls=false`;
  served = await serving({ environment: { ...secrets, EVENT_LOG, RATE_LIMITS: 'off' } });
  callers = await callersOf(served);
}, 60_000);
afterAll(() => served.close());

describe('R5: Another member of the event store becomes the leader under load', () => {
  it.each<[string, (next: 0 | 1) => Promise<void>]>([
    ['because the test orders it, and the previous leader redirects its clients', (next) => members.lead(next)],
    [
      'because the previous leader has died and later returns as a follower',
      async (next) => {
        const former = members.all[1 - next]!;
        await former.kill();
        await members.lead(next, 'alone');
        await pause(1_000);
        await former.restart();
        await members.lead(next);
      },
    ],
  ])(
    `${CHANGES} times, %s: the service recovers within 30 s, loses no command and executes none twice`,
    async (_, change) => {
      const { during, recovered, settle } = callers;
      const waits: number[] = [];
      for (let time = 0; time < CHANGES; time += 1) {
        const operations = await during(async () => {
          await pause(times(300, 5_000));
          await change(time % 2 === 0 ? 1 : 0);
          await pause(times(500, 5_000));
        });
        expectClearOutcomes(operations, times(15_000, 5_000));
        expect(operations.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(0);
        waits.push(Math.round(await recovered()));
      }
      process.stdout.write(`until it recovered, ms: ${waits.join(' ')}\n`);
      expect(Math.max(...waits)).toBeLessThan(RECOVERED_MS);
      await settle();
    },
  );
});
