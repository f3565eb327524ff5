import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@charter/event-log';
import { rebuild } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { Client } from 'pg';
import { postgres } from '../support/stores/postgres';
import { path } from '../support/requests/organizations';
import { PASSWORD, person, signedIn } from '../support/sign-in/people';
import { secrets } from '../support/secrets';
import { eventsOf, newFolder, type Served, serving, settled } from '../support/serving';
import { bytesOf, erasedPerson, type Life, tablesCopied, personalTexts, personalTextsIn } from './personal-texts';

const environment = { TRUST_PROXY: '127.0.0.1' };
/** All but the network address: it is never kept, but as a hash. */
const everything = Object.keys(personalTexts).filter((what) => what !== 'network');
const inLog = ({ lines }: Served) => personalTextsIn(lines.join('\n')).filter((what) => what !== 'network');

const hashOf = ({ metadata }: StoredEvent) => (metadata as { hash: string }).hash;

describe('U6: of somebody who is erased', () => {
  const folder = newFolder();
  const copies = newFolder();
  const copy = join(copies, 'documents.db');
  let life: Life;
  let certificate: string;
  let before: readonly string[];
  afterAll(() => [folder, copies].forEach((one) => rmSync(one, { recursive: true, force: true })));

  it('nothing is left in any byte of any file of embedded stores, and everything was there', async () => {
    const served = await serving({ folder, environment });
    life = await erasedPerson(served);
    expect(personalTextsIn(bytesOf(folder)).toSorted()).toEqual(everything.toSorted());
    await tablesCopied(served, copy);

    before = (await eventsOf(served, organizationStream(life.organization))).map(hashOf);
    const { status, body } = await life.here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect(status).toBe(200);
    certificate = body.certificate as string;
    expect(personalTextsIn(certificate)).toEqual([]);
    await settled(served);
    expect(inLog(served)).toEqual([]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('nothing comes back by a rebuild, and what is shown is the id (U7)', async () => {
    const served = await serving({ folder, environment });
    const { log, view } = served.charter;
    await served.runtime.projection.stop();
    await rebuild(log, view, organizationView, { takeOver: true });
    const key = await served.key();
    const closed = await served.ask('GET', path(life.organization, '/members'), { key });
    expect(closed.text).not.toContain(life.account.id); // who is erased has left
    expect(personalTextsIn(closed.text)).toEqual([]);
    const verdict = await served.ask('GET', path(life.organization, '/verify'), { key });
    expect(verdict.status).toBe(200);
    expect(verdict.body).toMatchObject({ ok: true, readModel: { ok: true } });
    // Erasing has added its own event, and has changed none of those before it.
    const stream = organizationStream(life.organization);
    const after = (await eventsOf(served, stream)).map(hashOf);
    expect(after.slice(0, before.length)).toEqual(before);
    expect([before.length > 0, after.length, after.at(-1)]).toEqual([true, verdict.body.events, verdict.body.head]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('nothing comes back by a backup that is older, once a process has started on it (U8)', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `documents.db${end}`), { force: true });
    copyFileSync(copy, join(folder, 'documents.db'));
    expect(personalTextsIn(bytesOf(folder)).toSorted()).toEqual(everything.toSorted());
    const served = await serving({ folder, environment });
    expect(await served.charter.certificates.of(life.account.id)).toBe(certificate);
    expect(inLog(served)).toEqual([]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('the address serves somebody new, who has nothing of theirs (U9)', async () => {
    const served = await serving({ folder, environment });
    const { email, username } = personalTexts;
    const ada = await person(served, { email, username });
    const here = await signedIn(served, ada);
    const { body } = await here.get('/api/v1/me');
    expect(body).toMatchObject({ id: ada.id, name: null, organizations: [] });
    expect(ada.id).not.toBe(life.account.id);
    const own = (await here.get('/api/v1/me/export')).body;
    expect([own.subjects, own.keys, own.mails, own.links]).toEqual([[], [], [], []]);
    expect(own.activity.map(({ type }: { type: string }) => type)).toEqual(['SignedIn', 'DataExported']);
    await served.stop();
  }, 60_000);
});

it('U6: nothing is left in any table of a PostgreSQL, and everything was there', async () => {
  const server = await (await postgres()).fresh();
  const served = await serving({ environment: { ...environment, ...secrets, DOCUMENTS: server } });
  const life = await erasedPerson(served);
  const everyTable = () => textOf(server);
  expect(personalTextsIn(await everyTable()).toSorted()).toEqual(everything.toSorted());
  expect((await life.here.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
  await settled(served);
  expect(personalTextsIn(await everyTable())).toEqual([]);
  expect(inLog(served)).toEqual([]);
  await served.close();
}, 60_000);

/** Every row of every table of a schema. */
async function textOf(address: string): Promise<string> {
  const schema = new URL(address).searchParams.get('schema')!;
  const client = new Client({ connectionString: address.replace(/([?&])schema=[^&]*/, '$1') });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await client.query<object>(`select * from "${schema}"."${name}"`);
    texts.push(JSON.stringify(rows));
  }
  await client.end();
  expect(tables.rows.length).toBeGreaterThan(15);
  return texts.join('\n');
}
