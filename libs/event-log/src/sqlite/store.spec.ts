import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../store-refused';
import { takeServerLock } from './server-lock';
import { networkFileSystem, olderThan } from './store-checks';
import { SqliteLog } from './sqlite-log';
import { openStore } from './store';

const folder = mkdtempSync(join(tmpdir(), 'charter-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let stores = 0;
const newFile = () => join(folder, `${++stores}`, 'log.db');

/** The path of a closed store that contains some events. */
async function storeWithEvents(count = 10) {
  const file = newFile();
  const log = await SqliteLog.open({ file, role: 'server' });
  for (let index = 0; index < count; index++) {
    await log.append(`s-${index}`, [{ id: crypto.randomUUID(), type: 'Noted', data: { text: 'x'.repeat(500) } }], {
      expected: 'no_stream',
    });
  }
  await log.close();
  return file;
}

/** Opens and closes a store; returns its identity. */
async function openAndClose(file: string, role: 'server' | 'beside' = 'beside', warn?: (sentence: string) => void) {
  const store = await openStore({ file, role, ...(warn && { warn }) });
  store.reader.close();
  store.release();
  return store.id;
}

function changed(file: string, sql: string) {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
  return file;
}

describe('Store', () => {
  it('is created with its folder, is accessible only to its owner, and leaves no temporary file', async () => {
    const file = newFile();
    await openAndClose(file, 'server');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.server`).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(file, '..')).every((name) => /^log\.db(-wal|-shm|\.server)?$/.test(name))).toBe(true);
  });

  it('has the same identity each time it is opened', async () => {
    const file = newFile();
    const id = await openAndClose(file);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await openAndClose(file, 'server')).toBe(id);
  });

  it('is created once when eight callers open it at the same time', async () => {
    const file = newFile();
    const ids = await Promise.all(Array.from({ length: 8 }, () => openAndClose(file)));
    expect(new Set(ids).size).toBe(1);
  });

  it('can be opened by one server and, at the same time, by other processes', async () => {
    const file = newFile();
    const server = await openStore({ file, role: 'server' });
    expect(await refusal(openStore({ file, role: 'server' }))).toBe(
      `${file} is in use by another server: stop that one first.`,
    );
    expect(await openAndClose(file, 'beside')).toBe(server.id);
    server.reader.close();
    server.release();
    expect(await openAndClose(file, 'server')).toBe(server.id);
  });

  it('is locked without a byte on the disk, so that the server starts on a full disk', () => {
    const file = newFile();
    mkdirSync(dirname(file));
    const release = takeServerLock(file);
    expect(readdirSync(dirname(file))).toEqual(['log.db.server']);
    expect(statSync(`${file}.server`).size).toBe(0);
    expect(() => takeServerLock(file)).toThrow(`${file} is in use by another server: stop that one first.`);
    release();
    takeServerLock(file)();
  });

  it("releases the server's lock when opening fails", async () => {
    const file = await storeWithEvents(1);
    cpSync(file, `${file}.whole`);
    writeFileSync(file, '');
    expect(await refusal(openAndClose(file, 'server'))).toMatch(/it is empty/);
    cpSync(`${file}.whole`, file);
    expect(await openAndClose(file, 'server')).toMatch(/-/);
  });

  it('warns when users other than its owner may open its file', async () => {
    const file = await storeWithEvents(1);
    const sentences: string[] = [];
    await openAndClose(file, 'beside', (sentence) => sentences.push(sentence));
    chmodSync(file, 0o644);
    await openAndClose(file, 'beside', (sentence) => sentences.push(sentence));
    expect(sentences).toEqual([`Users other than its owner may open ${file}: run chmod 600 on it.`]);
  });
});

describe('A store is refused with one sentence when', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    ['it is empty', (file) => writeFileSync(file, ''), /is damaged: it is empty/],
    [
      'it is a file of another kind',
      (file) => writeFileSync(file, 'hello '.repeat(1000)),
      /is damaged, or it is no event log/,
    ],
    ['its beginning was overwritten', (file) => writeFileSync(file, 'x'.repeat(100), { flag: 'r+' }), /is damaged/],
    ['it was cut off', (file) => truncateSync(file, 3 * 4096), /is damaged/],
    [
      'it is of another application',
      (file) => changed(file, 'PRAGMA application_id = 1'),
      /is not an event log of Charter/,
    ],
    ['it is from a newer version', (file) => changed(file, 'PRAGMA user_version = 2'), /has layout 2, .* newer/],
    ['a trigger is missing', (file) => changed(file, 'DROP TRIGGER events_final_2'), /its events_final_2 is missing/],
    [
      'a table was changed',
      (file) => changed(file, 'ALTER TABLE store ADD COLUMN more TEXT'),
      /its store is missing or changed/,
    ],
    ['it has no identity', (file) => changed(file, 'DELETE FROM store'), /exactly one identity/],
    ['it has two identities', (file) => changed(file, "INSERT INTO store VALUES ('x', 1)"), /exactly one identity/],
    [
      'a stream ends too early',
      (file) => changed(file, "UPDATE streams SET revision = 7 WHERE name = 's-3'"),
      /the stored end of s-3 is not its last event/,
    ],
    [
      'a stream lost its events',
      (file) => changed(file, "INSERT INTO streams (name, revision) VALUES ('lost', 0)"),
      /the stored end of lost is not its last event/,
    ],
    [
      'its next event would get a position that another event already has',
      (file) => changed(file, 'UPDATE sqlite_sequence SET seq = 3'),
      /the stored end of the log is not its last event/,
    ],
  ])('%s', async (_, harm, sentence) => {
    const file = await storeWithEvents();
    harm(file);
    const refused = await refusal(openStore({ file, role: 'server' }));
    expect(refused).toMatch(sentence);
    expect(refused).toContain(file);
    expect(refused).not.toContain('\n');
  });

  it('its file is missing although its WAL exists', async () => {
    const file = newFile();
    mkdirSync(join(file, '..'));
    writeFileSync(`${file}-wal`, 'x');
    expect(await refusal(openAndClose(file))).toContain(`${file} is missing, but its ${file}-wal is there`);
    expect(existsSync(file)).toBe(false);
  });

  it('its path names a folder', async () => {
    const file = newFile();
    mkdirSync(file, { recursive: true, mode: 0o755 });
    await expect(openAndClose(file)).rejects.toThrow(
      `${file} cannot be used: it is not a regular file. Set EVENT_LOG to a file, for example sqlite:${file}/events.db.`,
    );
  });

  it('its folder cannot be created', async () => {
    const inTheWay = join(folder, 'in-the-way');
    writeFileSync(inTheWay, '');
    expect(await refusal(openAndClose(join(inTheWay, 'log.db')))).toBe(
      `The folder ${inTheWay} cannot be written: give this user the right to write to it, or name another folder.`,
    );
  });

  it.each(['folder', 'file'])('this user has no right to write to its %s', async (what) => {
    const file = await storeWithEvents(1);
    chmodSync(what === 'file' ? file : join(file, '..'), 0o500);
    const refused = await refusal(asNobody(() => openStore({ file, role: 'server' })));
    expect(refused).toMatch(/cannot be (written|opened): give this user the right/);
    chmodSync(join(file, '..'), 0o700);
  });

  it('another program has locked it', async () => {
    const file = changed(await storeWithEvents(1), 'PRAGMA journal_mode = DELETE');
    const other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
    expect(await refusal(openAndClose(file))).toBe(`${file} is locked by another program.`);
    other.close();
  });
});

describe('Helpers of the store checks', () => {
  it('recognize network file systems by their type numbers', () => {
    expect([0x6969, 0xfe534d42, -11317950, 0xef53, 0x01021994].map(networkFileSystem)).toEqual([
      'NFS',
      'SMB',
      'CIFS',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['3.51.2', true],
    ['3.50.9', true],
    ['2.99.99', true],
    ['3.51.3', false],
    ['3.53.0', false],
    ['4.0.0', false],
  ])('decide whether SQLite %s is older than the oldest version that Charter accepts: %p', (version, isOlder) =>
    expect(olderThan(version, [3, 51, 3])).toBe(isOlder),
  );
});

/** The message of the `StoreRefused` error. */
async function refusal(opened: Promise<unknown>): Promise<string> {
  const refused = await opened.then(
    () => 'It was not refused.',
    (error: unknown) => error,
  );
  if (!(refused instanceof StoreRefused)) throw refused;
  return refused.message;
}

/** Runs the function as the user `nobody`, because root may write everywhere. */
async function asNobody<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
