import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import { folder } from '../database.testing';
import { fileHealth } from './file-health';
import { nodeSqliteDialect } from './node-sqlite-dialect';

describe('Writes to a file that another process has locked', () => {
  const { file, remove } = folder();
  const open = () => new DatabaseSync(file(), { timeout: 5 });
  const [database, other] = [open(), open()];
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT NOT NULL) STRICT');
  const tables = new Kysely<{ notes: { text: string } }>({ dialect: nodeSqliteDialect(database, fileHealth(file())) });
  const note = (text: string) => tables.insertInto('notes').values({ text }).execute();
  afterAll(() => {
    database.close();
    other.close();
    remove();
  });

  it('wait together, so that all of them are refused as soon as the first write is refused', async () => {
    other.exec('BEGIN IMMEDIATE');
    const refusedAt: number[] = [];
    const begun = performance.now();
    const refusals = ['one', 'two', 'three'].map((text) =>
      note(text).catch(() => {
        refusedAt.push(performance.now());
      }),
    );
    await Promise.all(refusals);
    other.exec('ROLLBACK');
    expect(refusedAt).toHaveLength(3);
    const [first, , last] = refusedAt as [number, number, number];
    expect(last - first).toBeLessThan((first - begun) / 2); // separate waits would each take as long as the first wait
  });

  it('wait again for the next lock after a write has succeeded', async () => {
    await note('four');
    other.exec('BEGIN IMMEDIATE');
    const waiting = note('five');
    await pause(300);
    other.exec('ROLLBACK');
    await waiting;
    const notes = await tables.selectFrom('notes').select('text').execute();
    expect(notes.map(({ text }) => text)).toEqual(['four', 'five']);
  });
});
