import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreRefused } from '@charter/event-log';
import { openDatabase } from './open-database';
import { openFile } from './sqlite/open-file';
import { testAccount } from './people/people.testing';
import { folder } from './database.testing';

const { file, remove } = folder();
afterAll(remove);

const made = async (name: string) => {
  const documents = await openDatabase({ file: file(name) });
  await documents.marks.set('mode', 'demo');
  await documents.close();
  return file(name);
};
const edit = (path: string, sql: string) => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};
const refusal = (path: string) =>
  openDatabase({ file: path }).then(
    () => 'it was opened',
    (why: unknown) => (why instanceof StoreRefused ? why.message : `something else: ${String(why)}`),
  );

describe('opening the documents', () => {
  it('makes the file and its folder, for its owner only, and keeps what was written', async () => {
    const path = await made('new/folder/documents.db');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const documents = await openDatabase({ file: path });
    expect(await documents.marks.get('mode')).toBe('demo');
    await documents.close();
  });

  it('closes a file that others could read', async () => {
    const path = await made('open.db');
    chmodSync(path, 0o644);
    await (await openDatabase({ file: path })).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('makes every commit durable, and reads on a connection that cannot write', async () => {
    const { writing, reading } = openFile(await made('pragmas.db'));
    const pragma = (name: string) => Object.values(writing.prepare(`PRAGMA ${name}`).get()!)[0];
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'application_id'].map(pragma)).toEqual([
      'wal',
      2,
      1,
      0x43484443,
    ]);
    expect(() => reading.exec(`INSERT INTO marks VALUES ('a', 'b')`)).toThrow('readonly');
    writing.close();
    reading.close();
  });

  it('overwrites what is erased, so that no byte of it stays in the file (U6)', async () => {
    const documents = await openDatabase({ file: file('erased') });
    const { accounts } = documents.people;
    await accounts.insert(testAccount({ id: 'gone', email: 'gone@canary.example', name: 'Canary Gone' }));
    await accounts.insert(testAccount({ id: 'here', email: 'here@canary.example' }));
    await accounts.erase('gone', Date.now());
    await documents.close();
    const bytes = readFileSync(file('erased')).toString('latin1');
    expect(bytes).toContain('here@canary.example');
    expect(bytes).not.toMatch(/gone@canary|Canary Gone/);
  });

  it('lets two open a new file at once', async () => {
    const both = await Promise.all([openDatabase({ file: file('both.db') }), openDatabase({ file: file('both.db') })]);
    await both[0].marks.set('who', 'first');
    expect(await both[1].marks.get('who')).toBe('first');
    await Promise.all(both.map((each) => each.close()));
  });

  it('leaves checkpoints to a thread while it serves, and keeps what was written', async () => {
    const path = await made('serving.db');
    const documents = await openDatabase({ file: path, serving: true });
    await documents.marks.set('letter', 'x'.repeat(6 * 1024 * 1024));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(6 * 1024 * 1024); // no commit waited for it
    const end = Date.now() + 10_000;
    while (statSync(`${path}-wal`).size > 0 && Date.now() < end) await pause(50);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await documents.marks.get('letter')).toHaveLength(6 * 1024 * 1024);
    await documents.close();
  });

  it.each([
    [
      'no database',
      (path: string) =>
        writeFileSync(path, 'This is a letter, and a long one, but it is no database at all.'.repeat(20)),
      /damaged, or is no SQLite database/,
    ],
    [
      'another application',
      (path: string) => edit(path, 'PRAGMA application_id = 0x43485254'),
      /is no documents file of Charter/,
    ],
    [
      'a newer version',
      (path: string) => edit(path, `INSERT INTO kysely_migration VALUES ('999-future', '2027-01-01T00:00:00.000Z')`),
      /newer version of Charter \(999-future\)/,
    ],
    ['damage within', damage, /damaged/],
    ['a folder', (path: string) => mkdirSync(`${path}-folder`), /cannot/],
  ])('refuses %s with one sentence', async (name, change, sentence) => {
    const path = await made(`${name.replaceAll(' ', '-')}.db`);
    change(path);
    const target = name === 'a folder' ? `${path}-folder` : path;
    const said = await refusal(target);
    expect(said).toMatch(sentence);
    expect(said).toMatch(/^The [^\n]*\.$/);
  });

  it('refuses a foreign file without changing it', async () => {
    const path = file('foreign.db');
    edit(path, 'CREATE TABLE letters (text)');
    const before = readFileSync(path);
    expect(await refusal(path)).toMatch('is no documents file');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a place that cannot be written', async () => {
    const within = `${await made('taken.db')}/documents.db`;
    expect(await refusal(within)).toBe(`The documents file ${within} cannot be written: check its owner and rights.`);
  });
});

/** Overwrites a page in the middle. */
function damage(path: string) {
  edit(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096 * 3, 4096 * 6);
  writeFileSync(path, bytes);
}
