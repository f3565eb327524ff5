import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rebuild, statusOf, verifyView } from '@charter/event-log';
import { organizationView } from '@charter/organization-view';
import { type Charter, openCharter, settingsFrom } from '@charter/wiring';
import { found } from '../cli/command-line';
import { catchUp } from '../projections/projecting';
import { several, type Several } from '../support/processes';

/** What run-in-production.md says of PostgreSQL, with PostgreSQL's own tools. */
let stores: Several;
let charter: Charter;
beforeEach(async () => {
  stores = await several();
  charter = stores.charter;
}, 120_000);
afterEach(() => charter.close());

const reopened = async () => {
  await charter.close();
  charter = await openCharter(settingsFrom(stores.settings), 'beside');
};
const equalToReplay = async () => {
  const { ok, documents } = await verifyView(charter.log, (await charter.view.live())!, organizationView);
  return { ok, documents };
};

it('tables that are older than the events catch up with them, and keys made before are good', async () => {
  await found(charter, 'Acme', 'solo');
  await stores.key({ name: 'before' });
  await catchUp(charter.log, charter.view);
  const dump = dumped();
  await found(charter, 'Borg', 'teams');
  await stores.key({ name: 'after' });
  await catchUp(charter.log, charter.view);
  await charter.close();
  restored(dump);

  charter = await openCharter(settingsFrom(stores.settings), 'beside');
  expect(await equalToReplay()).toEqual({ ok: true, documents: 1 });
  await catchUp(charter.log, charter.view);
  expect(await equalToReplay()).toEqual({ ok: true, documents: 2 });
  expect((await charter.documents.keys.list()).map(({ name }) => name)).toEqual(['before']);
}, 120_000);

it('tables of another or a newer event log are not believed, and a rebuild mends it', async () => {
  await found(charter, 'Acme', 'solo');
  await catchUp(charter.log, charter.view);
  await stores.facade.exchange();
  await reopened();
  await found(charter, 'Borg');
  expect((await statusOf(charter.log, charter.view, organizationView)).rebuildNeeded).toBeDefined();
  await rebuild(charter.log, charter.view, organizationView);
  expect((await statusOf(charter.log, charter.view, organizationView)).rebuildNeeded).toBeUndefined();
  expect(await equalToReplay()).toEqual({ ok: true, documents: 1 });
}, 120_000);

const schema = () => /schema=(\w+)/.exec(stores.settings['DOCUMENTS']!)![1]!;
const tool = (name: string, ...words: string[]) =>
  execFileSync(join(tools(), name), words, { stdio: ['ignore', 'ignore', 'inherit'] });

function dumped(): string {
  const file = join(stores.settings['CHARTER_DATA']!, 'charter.dump');
  tool('pg_dump', '--format=custom', `--schema=${schema()}`, `--file=${file}`, stores.postgres.url);
  return file;
}

const restored = (file: string) =>
  tool('pg_restore', '--clean', '--if-exists', '--single-transaction', `--dbname=${stores.postgres.url}`, file);

/** The folder of PostgreSQL's tools. @throws with the way to get them */
function tools(): string {
  const named = spawnSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).stdout.trim();
  const newest = globSync('/usr/lib/postgresql/*/bin/pg_dump').sort().at(-1);
  const path = newest ?? named;
  if (path === '') throw new Error('This spec needs pg_dump and pg_restore: on Debian, apt-get install -y postgresql.');
  return dirname(path);
}
