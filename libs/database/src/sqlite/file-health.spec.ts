import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { folder } from '../database.testing';
import { DatabaseUnavailable } from '../unavailable';
import { startCommitThread } from './commit-thread';
import { nodeSqliteDialect } from './node-sqlite-dialect';
import { type FileHealth, fileHealth } from './file-health';

type Notes = { notes: { text: string } };

describe('File whose disk fails once (R2)', () => {
  const { file, remove } = folder();
  const database = new DatabaseSync(file());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT NOT NULL) STRICT');
  let failing: Readonly<{ at: RegExp; errcode: number }> | undefined;
  let ran: string[] = [];
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  afterAll(() => {
    warned.mockRestore();
    database.close();
    remove();
  });

  /** The real database, except that one chosen statement fails once. */
  const faulty = {
    prepare: (text: string) => {
      const statement = database.prepare(text);
      const run = <T>(work: () => T): T => {
        ran.push(text);
        if (failing?.at.test(text)) {
          const { errcode } = failing;
          failing = undefined;
          if (database.isTransaction) database.exec('ROLLBACK'); // SQLite does the same after a disk error
          throw Object.assign(new Error('disk I/O error'), { errcode });
        }
        return work();
      };
      return {
        columns: () => statement.columns(),
        all: (...values: never[]) => run(() => statement.all(...values)),
        run: (...values: never[]) => run(() => statement.run(...values)),
      };
    },
    get isTransaction() {
      return database.isTransaction;
    },
    close: () => undefined,
  } as unknown as DatabaseSync;

  let health: FileHealth;
  let tables: Kysely<Notes>;
  beforeEach(() => {
    database.exec("DELETE FROM notes; INSERT INTO notes VALUES ('kept')");
    [health, ran] = [fileHealth(file()), []];
    tables = new Kysely<Notes>({ dialect: nodeSqliteDialect(faulty, health) });
  });
  const note = (text: string) => tables.insertInto('notes').values({ text }).execute();
  const notes = async () => (await tables.selectFrom('notes').select('text').execute()).map(({ text }) => text);
  const both = () =>
    tables.transaction().execute(async (within) => {
      await within.insertInto('notes').values({ text: 'one' }).execute();
      await within.insertInto('notes').values({ text: 'two' }).execute();
    });

  it.each([
    ['the flush at the end of a transaction', /^commit/i, 1034],
    ['a write within a transaction', /^insert/i, 778],
  ])('accepts no more writes, but still answers reads, after a failure of %s', async (_, at, errcode) => {
    failing = { at, errcode };
    await expect(both()).rejects.toThrow(DatabaseUnavailable);
    ran = [];
    await expect(note('three')).rejects.toThrow(/^The tables do not answer: The disk of .* failed\. .* restart/);
    await expect(both()).rejects.toThrow(DatabaseUnavailable);
    await expect(sql`delete from notes`.execute(tables)).rejects.toThrow(DatabaseUnavailable);
    expect(ran).toEqual([]);
    expect(await notes()).toEqual(['kept']);
    expect(health.lost()).toContain(file());
  });

  it.each([
    ['the disk is full', /^commit/i, 13],
    ['a read fails', /^select/i, 266],
  ])('accepts writes again after an error that lost no data: %s', async (_, at, errcode) => {
    failing = { at, errcode };
    await expect(both().then(notes)).rejects.toThrow(DatabaseUnavailable);
    expect(health.lost()).toBeUndefined();
    await note('three');
    expect(await notes()).toContain('three');
  });

  it('makes the process send no more transactions to the commit thread', async () => {
    const committing = startCommitThread(file(), health, () => Promise.reject(new Error('not asked for')));
    const query = { sql: "INSERT INTO notes VALUES ('aside')", parameters: [] } as unknown as CompiledQuery;
    expect(await committing.allOrNothing([query])).toBe(true);
    failing = { at: /^insert/i, errcode: 778 };
    await expect(note('lost')).rejects.toThrow(DatabaseUnavailable);
    await expect(committing.allOrNothing([query])).rejects.toThrow(DatabaseUnavailable);
    await committing.end();
    expect(await notes()).toEqual(['kept', 'aside']);
  });

  it('prevents the commit thread from running its queued transactions and from restarting the write-ahead log', async () => {
    const committing = startCommitThread(file(), health, () => Promise.reject(new Error('not asked for')));
    const query = { sql: "INSERT INTO notes VALUES ('aside')", parameters: [] } as unknown as CompiledQuery;
    expect(await committing.allOrNothing([query])).toBe(true);
    const { mtimeMs } = statSync(file());
    database.exec('BEGIN IMMEDIATE'); // the thread waits for this transaction
    const waiting = committing.allOrNothing([query]);
    committing.restartLog();
    health.stopWritesIfLost({ errcode: 1034 });
    database.exec('ROLLBACK');
    await waiting.catch(() => undefined);
    await committing.end();
    expect(await notes()).toEqual(['kept', 'aside']);
    expect(statSync(file()).mtimeMs).toBe(mtimeMs);
  });
});
