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
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../store-refused';
import { networkFileSystem, olderThan } from './store-checks';
import { SqliteLog } from './sqlite-log';
import { openStore } from './store';

const folder = mkdtempSync(join(tmpdir(), 'charter-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let stores = 0;
const newFile = () => join(folder, `${++stores}`, 'log.db');

/** A store with some events, closed again. */
async function founded(count = 10) {
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

/** Opens, closes, and answers with the identity. */
async function opening(file: string, role: 'server' | 'beside' = 'beside', warn?: (sentence: string) => void) {
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

describe('a store', () => {
  it('is founded with its folder, for its owner only, and nothing unfinished stays', async () => {
    const file = newFile();
    await opening(file, 'server');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}.server`).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(file, '..')).every((name) => /^log\.db(-wal|-shm|\.server)?$/.test(name))).toBe(true);
  });

  it('keeps its identity for ever', async () => {
    const file = newFile();
    const id = await opening(file);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await opening(file, 'server')).toBe(id);
  });

  it('is founded once, however many open it at the same time', async () => {
    const file = newFile();
    const ids = await Promise.all(Array.from({ length: 8 }, () => opening(file)));
    expect(new Set(ids).size).toBe(1);
  });

  it('has one server, and others beside it', async () => {
    const file = newFile();
    const server = await openStore({ file, role: 'server' });
    expect(await refusal(openStore({ file, role: 'server' }))).toBe(
      `${file} is in use by another server: stop that one first.`,
    );
    expect(await opening(file, 'beside')).toBe(server.id);
    server.reader.close();
    server.release();
    expect(await opening(file, 'server')).toBe(server.id);
  });

  it('gives its place back when it could not be opened', async () => {
    const file = await founded(1);
    cpSync(file, `${file}.whole`);
    writeFileSync(file, '');
    expect(await refusal(opening(file, 'server'))).toMatch(/it is empty/);
    cpSync(`${file}.whole`, file);
    expect(await opening(file, 'server')).toMatch(/-/);
  });

  it('says when others than its owner may open it', async () => {
    const file = await founded(1);
    const sentences: string[] = [];
    await opening(file, 'beside', (sentence) => sentences.push(sentence));
    chmodSync(file, 0o644);
    await opening(file, 'beside', (sentence) => sentences.push(sentence));
    expect(sentences).toEqual([`Others than its owner may open ${file}: chmod 600 it.`]);
  });
});

describe('a store is refused with one sentence when', () => {
  it.each<[string, (file: string) => void, RegExp]>([
    ['it is empty', (file) => writeFileSync(file, ''), /is damaged: it is empty/],
    ['it is something else', (file) => writeFileSync(file, 'hello '.repeat(1000)), /is damaged, or it is no event log/],
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
      /s-3 does not end where/,
    ],
    [
      'a stream lost its events',
      (file) => changed(file, "INSERT INTO streams (name, revision) VALUES ('lost', 0)"),
      /lost does not end where/,
    ],
    [
      'positions were given out twice',
      (file) => changed(file, 'UPDATE sqlite_sequence SET seq = 3'),
      /the log does not end where/,
    ],
  ])('%s', async (_, harm, sentence) => {
    const file = await founded();
    harm(file);
    const refused = await refusal(openStore({ file, role: 'server' }));
    expect(refused).toMatch(sentence);
    expect(refused).toContain(file);
    expect(refused).not.toContain('\n');
  });

  it('it is gone, but what was last written to it is there', async () => {
    const file = newFile();
    mkdirSync(join(file, '..'));
    writeFileSync(`${file}-wal`, 'x');
    expect(await refusal(opening(file))).toContain(`${file} is missing, but its ${file}-wal is there`);
    expect(existsSync(file)).toBe(false);
  });

  it('its folder cannot be made', async () => {
    const inTheWay = join(folder, 'in-the-way');
    writeFileSync(inTheWay, '');
    expect(await refusal(opening(join(inTheWay, 'log.db')))).toBe(
      `The folder ${inTheWay} cannot be written: give this user the right, or name another.`,
    );
  });

  it.each(['folder', 'file'])('this user may not write to its %s', async (what) => {
    const file = await founded(1);
    chmodSync(what === 'file' ? file : join(file, '..'), 0o500);
    const refused = await refusal(asNobody(() => openStore({ file, role: 'server' })));
    expect(refused).toMatch(/cannot be (written|opened): give this user the right/);
    chmodSync(join(file, '..'), 0o700);
  });

  it('another program has locked it', async () => {
    const file = changed(await founded(1), 'PRAGMA journal_mode = DELETE');
    const other = new DatabaseSync(file);
    other.exec('BEGIN EXCLUSIVE');
    expect(await refusal(opening(file))).toBe(`${file} is locked by another program.`);
    other.close();
  });
});

describe('what cannot be brought about in a test', () => {
  it('file systems over a network are known by their numbers', () => {
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
  ])('SQLite %s is too old: %p', (version, isOlder) => expect(olderThan(version, [3, 51, 3])).toBe(isOlder));
});

/** The sentence with which a store was refused. */
async function refusal(opened: Promise<unknown>): Promise<string> {
  const refused = await opened.then(
    () => 'It was not refused.',
    (error: unknown) => error,
  );
  if (!(refused instanceof StoreRefused)) throw refused;
  return refused.message;
}

/** Root may write everywhere, so root becomes somebody else for a moment. */
async function asNobody<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
  }
}
