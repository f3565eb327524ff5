import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rebuild, readProjectionStatus, verifyView } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { ended, found } from '../cli/command-line';
import { cliWith } from '../nightly/histories/rebuild-deployments';
import { catchUp } from '../projections/projecting';
import { postgresTool } from '../support/stores/postgres-tools';
import { several, type Several } from '../support/network/processes';
import { browser, person, signedIn } from '../support/sign-in/people';

/** These tests restore tables with PostgreSQL's tools, as run-in-production.md describes. */
let stores: Several;
let charter: Charter;
beforeEach(async () => {
  stores = await several();
  charter = stores.charter;
}, 120_000);
afterEach(() => charter.close());

const reopened = async () => {
  await charter.close();
  charter = await openCharter(parseSettings(stores.settings), 'beside');
};
const equalToReplay = async () => {
  const { ok, documents } = await verifyView(charter.log, (await charter.view.live())!, organizationView);
  return { ok, documents };
};

it('Tables that are older than the events catch up with the events, and API keys from before the backup are valid', async () => {
  await found(charter, 'Acme', 'solo');
  await stores.key({ name: 'before' });
  await catchUp(charter.log, charter.view);
  const dump = await dumped();
  await found(charter, 'Borg', 'teams');
  await stores.key({ name: 'after' });
  await catchUp(charter.log, charter.view);
  await charter.close();
  await sql(`create table ${schema()}.of_a_newer_release (id text primary key)`);
  await restored(dump);

  charter = await openCharter(parseSettings(stores.settings), 'beside');
  expect(await equalToReplay()).toEqual({ ok: true, documents: 1 });
  await catchUp(charter.log, charter.view);
  expect(await equalToReplay()).toEqual({ ok: true, documents: 2 });
  expect((await charter.database.keys.list()).map(({ name }) => name)).toEqual(['before']);
}, 120_000);

it('Tables of another event log need a rebuild, and the rebuild repairs them', async () => {
  await found(charter, 'Acme', 'solo');
  await catchUp(charter.log, charter.view);
  await stores.facade.exchange();
  await reopened();
  await found(charter, 'Borg');
  expect((await readProjectionStatus(charter.log, charter.view, organizationView)).rebuildNeeded).toBeDefined();
  await rebuild(charter.log, charter.view, organizationView);
  expect((await readProjectionStatus(charter.log, charter.view, organizationView)).rebuildNeeded).toBeUndefined();
  expect(await equalToReplay()).toEqual({ ok: true, documents: 1 });
}, 120_000);

it('A replaced CHECKPOINT_KEY is used after one server has started with it and an operator has signed anew', async () => {
  await found(charter, 'Acme', 'solo');
  const renewed = { CHECKPOINT_KEY: Buffer.alloc(32, 'renewed').toString('base64') };
  const sign = (settings: object, ...words: readonly string[]) =>
    ended(cliWith({ ...stores.settings, ...settings })('checkpoint', 'sign', ...words));
  const earlier = await stores.start();
  expect(await sign({})).toMatchObject({ code: 0 });
  await earlier.stop();
  expect(await sign(renewed, '--anew')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('first start one server with the new secret'),
  });

  const server = await stores.start(renewed);
  expect(await sign(renewed)).toMatchObject({ code: 1, stderr: expect.stringContaining('--anew') });
  expect(await sign(renewed, '--anew')).toMatchObject({ code: 0 });
  expect(await sign(renewed)).toMatchObject({ code: 0 });
  await server.stop();
}, 120_000);

it('The SQL in run-in-production.md ends every session and removes every password', async () => {
  const process = await stores.start();
  const { email } = await person(stores);
  const here = await signedIn(process, { email });
  expect((await here.get('/api/v1/me')).status).toBe(200);
  await process.stop();
  for (const statement of statementsOf('docs/how-to/run-in-production.md'))
    await sql(statement.replaceAll('charter.', `${schema()}.`));

  const again = await stores.start();
  const cookie = { headers: { Cookie: here.cookieHeader() } };
  expect((await again.ask('GET', '/api/v1/me', cookie)).status).toBe(401);
  expect((await (await browser(again)).logIn(email!)).status).toBe(401);
  await again.stop();
}, 120_000);

/** The statements that the page shows, in a block of SQL and in its text. */
function statementsOf(page: string): readonly string[] {
  const text = readFileSync(resolve(__dirname, '../..', page), 'utf8');
  const statements = [...text.matchAll(/(?:DELETE FROM|UPDATE) charter\.\w+[^;`]*/g)].map(([statement]) => statement);
  expect(statements.map((statement) => statement.split(' ')[0])).toEqual(['UPDATE', 'DELETE', 'DELETE']);
  return statements;
}

const schema = () => /schema=(\w+)/.exec(stores.settings['DOCUMENTS']!)![1]!;

async function dumped(): Promise<string> {
  const file = join(stores.settings['CHARTER_DATA']!, 'charter.dump');
  await postgresTool('pg_dump', '--format=custom', `--schema=${schema()}`, `--file=${file}`, stores.postgres.url);
  return file;
}

async function restored(file: string): Promise<void> {
  await sql(`DROP SCHEMA IF EXISTS ${schema()} CASCADE`);
  await postgresTool('pg_restore', '--single-transaction', `--dbname=${stores.postgres.url}`, file);
}

const sql = (statements: string) => postgresTool('psql', `--command=${statements}`, stores.postgres.url);
