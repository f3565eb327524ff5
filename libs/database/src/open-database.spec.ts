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
  const database = await openDatabase({ file: file(name) });
  await database.marks.set('mode', 'demo');
  await database.close();
  return file(name);
};
const edit = (path: string, sql: string) => {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
};
const refusalOf = (path: string) =>
  openDatabase({ file: path }).then(
    () => 'it was opened',
    (why: unknown) => (why instanceof StoreRefused ? why.message : `something else: ${String(why)}`),
  );

describe('Opening the database file', () => {
  it('creates a file that only the owner can read; the data is still there after the file is closed', async () => {
    const path = await made('new/folder/documents.db');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const database = await openDatabase({ file: path });
    expect(await database.marks.get('mode')).toBe('demo');
    await database.close();
  });

  it('removes the read permission of other users from the file', async () => {
    const path = await made('open.db');
    chmodSync(path, 0o644);
    await (await openDatabase({ file: path })).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a folder, and keeps its permissions', async () => {
    const path = file('a-folder');
    mkdirSync(path, { mode: 0o755 });
    expect(await refusalOf(path)).toBe(
      `The documents file ${path} cannot be used: it is not a regular file. ` +
        `Set DOCUMENTS to a file, for example sqlite:${path}/documents.db.`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it("sets SQLite's options for durable commits, and opens a second connection that cannot write", async () => {
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

  it('overwrites the email address and the name of an erased account in the database file (U6)', async () => {
    const database = await openDatabase({ file: file('erased') });
    const { accounts } = database.people;
    await accounts.insert(testAccount({ id: 'gone', email: 'gone@canary.example', name: 'Canary Gone' }));
    await accounts.insert(testAccount({ id: 'here', email: 'here@canary.example' }));
    await accounts.erase('gone', Date.now());
    await database.close();
    const bytes = readFileSync(file('erased')).toString('latin1');
    expect(bytes).toContain('here@canary.example');
    expect(bytes).not.toMatch(/gone@canary|Canary Gone/);
  });

  it.each([
    ['a server', true],
    ['the command line', false],
  ])(
    'lets %s purge erased data from the write-ahead log as soon as no reader uses the log (U6)',
    async (by, serving) => {
      const path = file(`purged by ${by}`);
      const database = await openDatabase({ file: path, serving });
      const { accounts } = database.people;
      await accounts.insert(testAccount({ id: 'gone', email: 'gone@canary.example', name: 'Canary Gone' }));
      const reader = new DatabaseSync(path);
      reader.exec('BEGIN; SELECT count(*) FROM accounts');
      await accounts.erase('gone', Date.now());
      const bytes = () => Buffer.concat([path, `${path}-wal`].map((one) => readFileSync(one))).toString('latin1');
      expect(bytes()).toMatch(/gone@canary/);
      const remains = expect.stringContaining(`write-ahead log of ${path}`) as string;
      expect(await database.purgeErased()).toEqual({ outcome: 'failed', remains });
      reader.close();
      expect(await database.purgeErased()).toEqual({ outcome: 'done', remains: null });
      expect(bytes()).not.toMatch(/gone@canary|Canary Gone/);
      // The database still accepts writes.
      await accounts.insert(testAccount({ id: 'new', email: 'new@canary.example' }));
      await database.close();
    },
    20_000,
  );

  it('lets two callers open a new file at the same time', async () => {
    const both = await Promise.all([openDatabase({ file: file('both.db') }), openDatabase({ file: file('both.db') })]);
    await both[0].marks.set('opener', 'first');
    expect(await both[1].marks.get('opener')).toBe('first');
    await Promise.all(both.map((each) => each.close()));
  });

  it('leaves checkpoints of the write-ahead log to a thread while the server runs', async () => {
    const path = await made('serving.db');
    const database = await openDatabase({ file: path, serving: true });
    await database.marks.set('letter', 'x'.repeat(6 * 1024 * 1024));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(6 * 1024 * 1024); // no commit waited for a checkpoint
    const end = Date.now() + 10_000;
    while (statSync(`${path}-wal`).size > 0 && Date.now() < end) await pause(50);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await database.marks.get('letter')).toHaveLength(6 * 1024 * 1024);
    await database.close();
  });

  it.each([
    [
      'a text file',
      (path: string) => writeFileSync(path, 'This is a long text and not a database.'.repeat(40)),
      /damaged, or is no SQLite database/,
    ],
    [
      'a file of another application',
      (path: string) => edit(path, 'PRAGMA application_id = 0x43485254'),
      /is not a documents file of Charter/,
    ],
    [
      'a file of a newer version',
      (path: string) => edit(path, `INSERT INTO kysely_migration VALUES ('999-future', '2027-01-01T00:00:00.000Z')`),
      /newer version of Charter \(unknown migrations: 999-future\)/,
    ],
    ['a damaged page', damage, /damaged/],
    ['a folder', (path: string) => mkdirSync(`${path}-folder`), /cannot/],
  ])('refuses %s with a one-sentence reason', async (name, change, sentence) => {
    const path = await made(`${name.replaceAll(' ', '-')}.db`);
    change(path);
    const target = name === 'a folder' ? `${path}-folder` : path;
    const message = await refusalOf(target);
    expect(message).toMatch(sentence);
    expect(message).toMatch(/^The [^\n]*\.$/);
  });

  it('refuses a file of another program, and does not change the file', async () => {
    const path = file('foreign.db');
    edit(path, 'CREATE TABLE letters (text)');
    const before = readFileSync(path);
    expect(await refusalOf(path)).toMatch('is not a documents file');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a path to which it cannot write', async () => {
    const within = `${await made('taken.db')}/documents.db`;
    expect(await refusalOf(within)).toBe(`The documents file ${within} cannot be written: check its owner and rights.`);
  });
});

/** Overwrites pages in the middle of the file. */
function damage(path: string) {
  edit(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4096 * 3, 4096 * 6);
  writeFileSync(path, bytes);
}
