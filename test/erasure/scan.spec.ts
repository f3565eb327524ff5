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
import {
  bytesOf,
  personWithData,
  type PersonWithData,
  copyTables,
  personalTexts,
  personalTextsIn,
} from './personal-texts';

const environment = { TRUST_PROXY: '127.0.0.1' };
/** The names of all personal texts except the network address, which is stored only as a hash. */
const everything = Object.keys(personalTexts).filter((what) => what !== 'network');
const inLog = ({ lines }: Served) => personalTextsIn(lines.join('\n')).filter((what) => what !== 'network');

const hashOf = ({ metadata }: StoredEvent) => (metadata as { hash: string }).hash;

describe('U6: Erased person', () => {
  const folder = newFolder();
  const copies = newFolder();
  const copy = join(copies, 'documents.db');
  let subject: PersonWithData;
  let certificate: string;
  let before: readonly string[];
  afterAll(() => [folder, copies].forEach((one) => rmSync(one, { recursive: true, force: true })));

  it('leaves no personal text in any file of embedded stores', async () => {
    const served = await serving({ folder, environment });
    subject = await personWithData(served);
    expect(personalTextsIn(bytesOf(folder)).toSorted()).toEqual(everything.toSorted());
    await copyTables(served, copy);

    before = (await eventsOf(served, organizationStream(subject.organization))).map(hashOf);
    const { status, body } = await subject.here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    // the files contain no personal text as soon as the answer arrives
    expect([personalTextsIn(bytesOf(folder)), status, body.remains]).toEqual([[], 200, null]);
    certificate = body.certificate as string;
    expect(personalTextsIn(certificate)).toEqual([]);
    await settled(served);
    expect(inLog(served)).toEqual([]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('does not return with a rebuild of the read model, and the hash chain stays valid (U7)', async () => {
    const served = await serving({ folder, environment });
    const { log, view } = served.charter;
    await served.runtime.projection.stop();
    await rebuild(log, view, organizationView, { takeOver: true });
    const key = await served.key();
    const closed = await served.ask('GET', path(subject.organization, '/members'), { key });
    expect(closed.text).not.toContain(subject.account.id); // the erasure has removed the person from the organization
    expect(personalTextsIn(closed.text)).toEqual([]);
    const verification = await served.ask('GET', path(subject.organization, '/verify'), { key });
    expect(verification.status).toBe(200);
    expect(verification.body).toMatchObject({ ok: true, readModel: { ok: true } });
    // The erasure appends one event, and changes no earlier event.
    const stream = organizationStream(subject.organization);
    const after = (await eventsOf(served, stream)).map(hashOf);
    expect(after.slice(0, before.length)).toEqual(before);
    expect([before.length > 0, after.length, after.at(-1)]).toEqual([
      true,
      verification.body.events,
      verification.body.head,
    ]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('does not return with an older backup, because the process that starts with the restored tables repeats the erasure (U8)', async () => {
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `documents.db${end}`), { force: true });
    copyFileSync(copy, join(folder, 'documents.db'));
    expect(personalTextsIn(bytesOf(folder)).toSorted()).toEqual(everything.toSorted());
    const served = await serving({ folder, environment });
    expect(await served.charter.certificates.of(subject.account.id)).toBe(certificate);
    expect(inLog(served)).toEqual([]);
    // the texts are removed even before the process closes its files
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
    await served.stop();
    expect(personalTextsIn(bytesOf(folder))).toEqual([]);
  }, 60_000);

  it('frees the e-mail address and the username for another person, who gets none of the erased data (U9)', async () => {
    const served = await serving({ folder, environment });
    const { email, username } = personalTexts;
    const ada = await person(served, { email, username });
    const here = await signedIn(served, ada);
    const { body } = await here.get('/api/v1/me');
    expect(body).toMatchObject({ id: ada.id, name: null, organizations: [] });
    expect(ada.id).not.toBe(subject.account.id);
    const own = (await here.get('/api/v1/me/export')).body;
    expect([own.subjects, own.keys, own.mails, own.links]).toEqual([[], [], [], []]);
    expect(own.activity.map(({ type }: { type: string }) => type)).toEqual(['SignedIn', 'DataExported']);
    await served.stop();
  }, 60_000);
});

describe('U6: Erased person whose data is in PostgreSQL', () => {
  it('leaves no personal text in any table', async () => {
    const server = await (await postgres()).fresh();
    const served = await serving({ environment: { ...environment, ...secrets, DOCUMENTS: server } });
    const subject = await personWithData(served);
    const everyTable = () => textOf(server);
    expect(personalTextsIn(await everyTable()).toSorted()).toEqual(everything.toSorted());
    const { status, body } = await subject.here.send('POST', '/api/v1/me/close', { password: PASSWORD });
    expect([status, body.remains]).toEqual([
      200,
      expect.stringMatching(/within a minute.*until PostgreSQL overwrites/),
    ]);
    await settled(served);
    expect(personalTextsIn(await everyTable())).toEqual([]);
    expect(inLog(served)).toEqual([]);
    await served.close();
  }, 60_000);
});

/** The rows of all tables of a PostgreSQL schema, as one text. */
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
