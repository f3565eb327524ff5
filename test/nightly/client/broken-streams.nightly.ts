import { defaultIntervals } from '../../../libs/client/src/connection';
import { clientOf, organizationOnSolo } from '../../client/charter-client';
import { done } from '../../support/requests/organizations';
import { type Served, serving, until } from '../../support/serving';
import { type BreakingProxy, breakingProxy, type StreamFault } from './breaking-proxy';

let served: Served;
let key: string;
const proxies: BreakingProxy[] = [];
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', note);
  served = await serving();
  key = await served.key();
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  proxies.forEach(({ close }) => close());
  await served.close();
});

/**
 * Breaks the stream of a client, and changes its organization. Resolves with the milliseconds until the client is
 * stale, and until it has the right value.
 */
async function delaysAfter(fault: StreamFault): Promise<Readonly<{ stale: number; right: number }>> {
  const id = await organizationOnSolo(served, key);
  const proxy = await breakingProxy(served.url);
  proxies.push(proxy);
  const acme = clientOf({ url: proxy.url, key, intervals: defaultIntervals }).organization(id);
  await until(() => acme.freshness.state === 'fresh', 20_000);
  await done(served, key, id, ['DELETE', '/plan/second']);
  await until(() => acme.freshness.state === 'fresh' && !acme.can('feedback'), 20_000); // the stream has a cursor now
  const begun = performance.now();
  let stale = Infinity;
  acme.subscribe(() => {
    if (acme.freshness.state === 'stale') stale = Math.min(stale, performance.now() - begun);
  });
  proxy.break(fault);
  await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
  await until(() => acme.can('feedback'), 90_000);
  return { stale, right: performance.now() - begun };
}

it('SD5: A client whose stream breaks is stale within 35 s, and has the right values within 65 s', async () => {
  const faults = ['no FIN', 'no bytes', 'answer 502', 'end inside a chunk'] as const;
  const measured = await Promise.all(faults.map(async (fault) => ({ fault, ...(await delaysAfter(fault)) })));
  for (const { fault, stale, right } of measured)
    process.stdout.write(`SD5: ${fault}: stale after ${stale.toFixed(0)} ms, right after ${right.toFixed(0)} ms\n`);
  expect(measured.filter(({ stale }) => !(stale <= 35_100))).toEqual([]);
  expect(measured.filter(({ right }) => !(right <= 65_000))).toEqual([]);
  expect(unhandled).toEqual([]);
}, 300_000);
