import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ExpectedRevision } from '../../port';
import { committing } from './commit';
import { type AppendJob, type AppendOutcome, monotonicNow } from './messages';
import { writerPragmas, createLayout } from '../schema';

const folder = mkdtempSync(join(tmpdir(), 'charter-commit-'));
afterAll(() => rmSync(folder, { recursive: true }));
const open = new Set<DatabaseSync>();
afterEach(() => {
  for (const db of open) db.close();
  open.clear();
});

let files = 0;
function store() {
  const file = join(folder, `${++files}.db`);
  const db = new DatabaseSync(file, { timeout: 20 });
  createLayout(db, { id: 'store', created: 0 });
  db.exec(writerPragmas);
  open.add(db);
  const count = () => Number(Object.values(db.prepare('SELECT count(*) FROM events').get()!)[0]);
  return { file, db, commit: committing(db), count };
}

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const job = (stream: string, expected: ExpectedRevision, ids: number[], data = '{}', deadline = 10_000): AppendJob => [
  stream,
  expected,
  monotonicNow() + deadline,
  data.length,
  ids.map((number) => [id(number), 'Noted', data, null]),
];
const kinds = (outcomes: readonly AppendOutcome[]) => outcomes.map(([kind]) => kind);

describe('Jobs of one commit', () => {
  it('find the events of earlier jobs of the same commit', () => {
    const { commit } = store();
    const { outcomes } = commit([
      job('s', 'no_stream', [1]),
      job('s', 0n, [2, 3]),
      job('s', 'no_stream', [4]),
      job('s', 2n, [5]),
    ]);
    expect(outcomes).toEqual([
      ['appended', 0n, 1, false],
      ['appended', 2n, 3, false],
      ['conflict', 2n],
      ['appended', 3n, 4, false],
    ]);
  });

  it('with the expected revision `any` also find the event ids of earlier jobs of the same commit', () => {
    const { commit } = store();
    const { outcomes } = commit([job('s', 'any', [1, 2]), job('s', 'any', [1, 2]), job('s', 'any', [1, 3])]);
    expect(outcomes).toEqual([
      ['appended', 1n, 2, false],
      ['appended', 1n, 2, true],
      ['conflict', 1n],
    ]);
  });

  it('leave no row in any table when the commit refuses them', () => {
    const { commit, count, db } = store();
    expect(kinds(commit([job('new', 7n, [1]), job('other', 'stream_exists', [2])]).outcomes)).toEqual([
      'conflict',
      'conflict',
    ]);
    expect(count()).toBe(0);
    expect(db.prepare('SELECT * FROM streams').all()).toEqual([]);
  });

  it('find events that another connection has written since the last commit', () => {
    const { commit, file } = store();
    commit([job('s', 'no_stream', [1])]);
    const other = new DatabaseSync(file);
    open.add(other);
    committing(other)([job('s', 0n, [2])]);
    expect(commit([job('s', 0n, [3])]).outcomes).toEqual([['conflict', 1n]]);
    expect(commit([job('s', 0n, [2])]).outcomes).toEqual([['appended', 1n, 2, true]]);
  });
});

describe('Deadlines of jobs', () => {
  it('let a commit to a locked store try again until the last deadline has passed', () => {
    const { commit, file, count } = store();
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const begun = performance.now();
    const { outcomes, stopped } = commit([job('s', 'any', [1], '{}', 60), job('s', 'any', [2], '{}', 150)]);
    expect(performance.now() - begun).toBeGreaterThan(140);
    expect(outcomes).toEqual(Array(2).fill(['failed', 'unavailable', 'The log was busy until the deadline.']));
    expect(stopped).toBeUndefined();
    other.close();
    expect(kinds(commit([job('s', 'no_stream', [1])]).outcomes)).toEqual(['appended']);
    expect(count()).toBe(1);
  });

  it('that have passed make only their own jobs fail; the commit still writes its other jobs', () => {
    const { commit, count } = store();
    expect(kinds(commit([job('s', 'any', [1], '{}', -1), job('s', 'any', [2])]).outcomes)).toEqual([
      'failed',
      'appended',
    ]);
    expect(count()).toBe(1);
  });
});

describe('Full disk', () => {
  it('makes a commit fail when the index of the WAL cannot grow, and allows later commits', () => {
    const { db, commit } = store();
    jest.spyOn(db, 'exec').mockImplementationOnce(() => {
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4874 });
    });
    const refused = commit([job('s', 'no_stream', [1])]);
    expect(refused).toEqual({
      outcomes: [['failed', 'unavailable', 'The log could not write: disk I/O error.']],
    });
    expect(kinds(commit([job('s', 'no_stream', [1])]).outcomes)).toEqual(['appended']);
  });

  it('makes all jobs of a commit fail if the commit does not fit, and allows commits when there is room again', () => {
    const { commit, db, count } = store();
    commit([job('s', 'no_stream', [1])]);
    db.exec('PRAGMA max_page_count = 40');
    const large = `"${'x'.repeat(100_000)}"`;
    const jobs = [job('s', 'any', [2]), job('s', 'any', [3], large), job('t', 'any', [4], large)];
    const { outcomes, stopped } = commit(jobs);
    expect(outcomes).toEqual(
      Array(3).fill(['failed', 'unavailable', 'The log could not write: database or disk is full.']),
    );
    expect([stopped, count(), db.isTransaction]).toEqual([undefined, 1, false]);

    db.exec('PRAGMA max_page_count = 100000');
    expect(commit(jobs).outcomes).toEqual([
      ['appended', 1n, 2, false],
      ['appended', 2n, 3, false],
      ['appended', 0n, 4, false],
    ]);
  });
});

describe('Bug in Charter', () => {
  it('stops the writer until a restart', () => {
    const { commit, db, count } = store();
    commit([job('s', 'no_stream', [1, 2])]);
    // SQLite's write lock prevents such a state in production
    db.exec("UPDATE streams SET revision = 0 WHERE name = 's'");
    const { outcomes, stopped } = commit([job('t', 'any', [3]), job('s', 0n, [4])]);
    expect(outcomes.map(([, kind]) => kind)).toEqual(['internal', 'internal']);
    expect(stopped).toMatch(/UNIQUE/);
    expect(commit([job('t', 'any', [3])])).toMatchObject({ outcomes: [['failed', 'unavailable', stopped]], stopped });
    expect(count()).toBe(2);
  });

  it.each(['UPDATE events SET type = 1', 'DELETE FROM events', 'INSERT OR REPLACE INTO events SELECT * FROM events'])(
    'cannot change stored events, because the tables refuse the statement: %s',
    (sql) => {
      const { commit, db, count } = store();
      commit([job('s', 'no_stream', [1])]);
      expect(() => db.exec(sql)).toThrow('events are final');
      expect(count()).toBe(1);
    },
  );
});
