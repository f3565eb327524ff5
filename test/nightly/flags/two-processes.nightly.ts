import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { chanceFrom } from '../../history/files/tampering';
import { askWithOldTags } from '../../flags/random-evaluations';
import { openFlagSite } from '../../openfeature/flag-page';
import { expectedFlags, expectProvided, variedOrganizations } from '../../openfeature/varied-organizations';
import { seed } from '../../projections/seed';
import { type Process, served, several, type Several } from '../../support/network/processes';
import { openBrowser } from '../../support/pages/browser';
import { founded, path } from '../../support/requests/organizations';
import { until } from '../../support/serving';
import { times } from '../length';
import { quantile } from '../timing/mann-whitney';
import { changeDelays, limitProgram, openFollowingPage } from './followed-changes';

// V12: tables in PostgreSQL, the façade of EventStoreDB, and two processes. One process writes; the programs use
// the other process.

let all: Several;
let site: Awaited<ReturnType<typeof openFlagSite>>;
let writer: Process;
let reader: Process;
let key: string;
beforeAll(async () => {
  site = await openFlagSite();
  all = await several({ RATE_LIMITS: 'off', FLAGS_ORIGINS: site.origin });
  [writer, reader] = await Promise.all([all.start(), all.start()]);
  key = await all.key();
}, 120_000);
afterAll(async () => {
  await site.close();
  await all.end();
}, 60_000);

/** Waits until a process evaluates the newest revision of an organization. */
async function untilEvaluated({ ask }: Process, id: string): Promise<void> {
  const { revision } = (await writer.ask('GET', path(id), { key })).body as { revision: number };
  const request = { key, body: { context: { targetingKey: id } } };
  const evaluated = () => ask('POST', `/ofrep/v1/evaluate/flags?flagConfigEtag=r${revision}`, request);
  await until(async () => (await evaluated()).status === 200, 20_000);
}

it('V2: The server SDK at one process returns the flags of twenty organizations that another process has written', async () => {
  const organizations = await variedOrganizations(served(all, writer), key);
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]];
  await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: reader.url, headers }));
  for (const id of organizations) {
    await untilEvaluated(reader, id);
    const expected = await expectedFlags(reader, key, id);
    expect(expected.size).toBe(27);
    await expectProvided(OpenFeature.getClient(), id, expected);
  }
  await OpenFeature.clearProviders();
});

it('V4: The web provider follows one process, and shows 99 % of the changes of another process within half a second', async () => {
  const browser = await openBrowser(true);
  const id = await founded(served(all, writer), { by: key });
  await untilEvaluated(reader, id);
  site.program = limitProgram(reader.url, key, id);
  const visit = await openFollowingPage(await browser.newContext(), site.origin);
  const changes = times(300, 1_000);
  const delays = await changeDelays(visit, writer, { key, id, changes });
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  console.info(`V4, two processes: p50 ${p50} ms, p99 ${p99} ms, slowest ${Math.max(...delays)} ms`);
  await browser.close();
  expect(delays).toHaveLength(changes);
  expect(p99).toBeLessThanOrEqual(500);
});

it('V8: With ETags of both processes, no process answers 304 for flags that the client does not have', async () => {
  await Promise.all([writer.stop(), reader.stop()]);
  // both processes have one address, so that they print the same flags and their ETags are equal
  const environment = { PUBLIC_URL: 'http://localhost:3000' };
  const processes = await Promise.all([all.start(environment), all.start(environment)]);
  const chance = chanceFrom(seed);
  const ask: Process['ask'] = (...request) => processes[chance(2)]!.ask(...request);
  const statuses = await askWithOldTags(
    { ...served(all, processes[0]), ask, processes },
    times(5_000, 100_000),
    chance,
  );
  expect([statuses.has(200), statuses.has(304)]).toEqual([true, true]);
});
