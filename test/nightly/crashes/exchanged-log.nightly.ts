import { rebuild } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ended } from '../../cli/command-line';
import { founded, path } from '../../support/requests/organizations';
import { type Process, served, several, type Several } from '../../support/network/processes';
import { until } from '../../support/serving';

const main = resolve(__dirname, '../../../dist/apps/api/apps/cli/src/main.js');
const WITHIN_MS = 60_000;

let stores: Several;
let one: Process;
let other: Process;
let key: string;
beforeAll(async () => {
  stores = await several();
  [one, other] = [await stores.start(), await stores.start()];
  key = await stores.key();
}, 240_000);
afterAll(() => stores.end());

const found = (name: string) => founded(served(stores, one), { by: key, name });
const listed = async ({ ask }: Process) => {
  const { status, body } = await ask('GET', '/api/v1/organizations?limit=100', { key });
  return status === 200 ? (body.organizations as { name: string }[]).map((each) => each.name).sort() : status;
};
const phases = async () => {
  const answers = await Promise.all([one, other].map(({ health }) => health()));
  return answers.map(({ status, body }) => [status, body.checks.projection.phase]);
};
const status = async () => {
  const env = { PATH: process.env['PATH'], ...stores.settings };
  return (await ended(spawn(process.execPath, [main, 'projections', 'status'], { env }))).stdout;
};

it('A5: After a restart of the event store, both processes list the organizations founded before and after the restart', async () => {
  await found('Before');
  await until(async () => String(await listed(one)) === 'Before', WITHIN_MS);
  await stores.facade.kill();
  await until(async () => (await one.health()).status === 503, WITHIN_MS);
  await stores.facade.restart();
  await until(async () => (await one.health()).status === 200, WITHIN_MS);
  await found('Later');
  for (const each of [one, other]) await until(async () => String(await listed(each)) === 'Before,Later', WITHIN_MS);
}, 240_000);

it('U5, D5: If a backup replaces the current event log, every process reports this in health, status and log until a rebuild', async () => {
  const backup = `${stores.facade.data()}-backup`;
  await stores.facade.kill();
  cpSync(stores.facade.data(), backup, { recursive: true });
  await stores.facade.restart();
  await until(async () => (await one.health()).status === 200, WITHIN_MS);
  const lost = await found('Lost');
  await until(async () => String(await listed(other)) === 'Before,Later,Lost', WITHIN_MS);

  await stores.facade.kill();
  rmSync(stores.facade.data(), { recursive: true });
  cpSync(backup, stores.facade.data(), { recursive: true });
  rmSync(backup, { recursive: true });
  await stores.facade.restart();
  const needed = [503, 'rebuild-needed'];
  await until(async () => String(await phases()) === String([needed, needed]), WITHIN_MS);
  for (const each of [one, other]) {
    expect((await each.health()).body.checks.projection.why).toMatch(
      /The read model must be rebuilt: charter projections rebuild$/,
    );
    expect(each.output()).toContain('The read model must be rebuilt: charter projections rebuild');
    expect(await listed(each)).toBe(503);
    expect((await each.ask('GET', path(lost), { key })).status).toBe(404);
  }
  expect(await status()).toMatch(/rebuild needed[^]*The read model must be rebuilt: charter projections rebuild/);

  const { log, view } = stores.charter;
  expect((await rebuild(log, view, organizationView)).compared).toBeUndefined();
  await until(async () => (await phases()).every(([answer]) => answer === 200), WITHIN_MS);
  for (const each of [one, other]) await until(async () => String(await listed(each)) === 'Before,Later', WITHIN_MS);
  await found('Anew');
  for (const each of [one, other])
    await until(async () => String(await listed(each)) === 'Anew,Before,Later', WITHIN_MS);
}, 240_000);
