import { setTimeout as pause } from 'node:timers/promises';
import { Fatal } from '@charter/client';
import { defaultIntervals } from '../../../libs/client/src/connection';
import { clientOf, organizationOnSolo } from '../../client/charter-client';
import { done } from '../../support/requests/organizations';
import { keyId, type Served, serving, until } from '../../support/serving';
import { times } from '../length';
import { quantile } from '../timing/mann-whitney';

let served: Served;
let all: string; // an API key with every scope
beforeAll(async () => {
  served = await serving();
  all = await served.key();
});
afterAll(() => served.close());

const solo = () => organizationOnSolo(served, all);

it('SD7: After the revocation of its API key, a client drops its values within 15 s, and then waits 30 s between requests', async () => {
  const key = await served.key({ scopes: ['flags:read', 'organizations:read'] });
  const sent: number[] = [];
  const counting: typeof fetch = (...request) => {
    sent.push(performance.now());
    return fetch(...request);
  };
  const charter = clientOf({ url: served.url, key, fetch: counting, intervals: defaultIntervals });
  const acme = charter.organization(await solo());
  await until(() => acme.freshness.state === 'fresh');
  await served.charter.database.keys.revoke(await keyId(served, key), served.clock.now());
  await until(() => acme.freshness.state === 'fatal', 15_000);
  expect(() => acme.can('feedback')).toThrow(Fatal);
  const refused = performance.now();
  await pause(times(65_000, 300_000));
  const requestTimes = [refused, ...sent.filter((at) => at > refused)];
  expect(requestTimes.length).toBeGreaterThan(1); // the client tries again at most 60 s later
  expect(Math.min(...requestTimes.slice(1).map((at, index) => at - requestTimes[index]!))).toBeGreaterThanOrEqual(
    29_990,
  );
});

it('SD4: A client gets 99 % of the acknowledged changes within 500 ms', async () => {
  const id = await solo();
  const acme = clientOf({ url: served.url, key: all, intervals: defaultIntervals }).organization(id);
  await until(() => acme.freshness.state === 'fresh');
  const delays: number[] = [];
  for (let index = 0; index < times(200, 1_000); index += 1) {
    const on = index % 2 === 0;
    await done(served, all, id, on ? ['DELETE', '/plan/second'] : ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    const acknowledged = performance.now();
    await until(() => acme.can('feedback') !== on);
    delays.push(performance.now() - acknowledged);
  }
  const p99 = quantile(delays, 0.99);
  process.stdout.write(`SD4: p99 of ${delays.length} changes: ${p99.toFixed(0)} ms\n`);
  expect(p99).toBeLessThanOrEqual(500);
});
