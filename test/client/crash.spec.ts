import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../cli/command-line';
import { type Running, started } from '../crash/server';
import { until } from '../support/serving';
import { clientOf } from './charter-client';

const SCOPES = 'flags:read,organizations:read,organizations:write,organizations:operate,billing:write';

const installation = new CommandLine();
let server: Running | undefined;
let readTimer: NodeJS.Timeout | undefined;
afterAll(async () => {
  clearInterval(readTimer);
  await server?.kill();
  installation.remove();
});

it('SD13: After `kill -9` of the server, a client answers from memory, waits between requests, and is fresh after the restart', async () => {
  const id = await installation.found('Acme', 'solo');
  const { key } = (await installation.json('keys', 'create', '--name', 'client', '--scopes', SCOPES)).answer;
  server = await started(installation);
  const { url } = server;
  let requests = 0;
  const counting: typeof fetch = (...request) => {
    requests += 1;
    return fetch(...request);
  };
  const intervals = { poll: 60_000, reconnect: [200, 1_000] } as const;
  const charter = clientOf({ url, key, fetch: counting, intervals });
  const acme = charter.organization(id);
  await until(() => acme.freshness.state === 'fresh');
  const answers = new Set<boolean>();
  readTimer = setInterval(() => answers.add(acme.can('feedback')), 1);

  await server.kill();
  await until(() => acme.freshness.state === 'stale');
  const before = requests;
  await pause(3_000);
  // one poll of four attempts, and at most three streams a second
  expect(requests - before).toBeLessThanOrEqual(13);
  expect(requests - before).toBeGreaterThan(2);

  server = await started(installation, { PORT: new URL(url).port });
  await until(() => acme.freshness.state === 'fresh');
  expect([...answers]).toEqual([true]);
  await charter.call('DELETE /api/v1/organizations/{id}/plan/{line}', { path: { id, line: 'second' } });
  await until(() => !acme.can('feedback'));
}, 60_000);
