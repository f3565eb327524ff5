import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Overtaken } from '@charter/projections';
import { type CompiledQuery, Kysely } from 'kysely';
import { inTransaction } from '../transactions/atomic-write';
import { openDatabase } from '../open-database';
import type { Schema } from '../schema/schema';
import { folder } from '../database.testing';
import {
  contents,
  counted,
  named,
  opened,
  projectAll,
  tagAdded,
  countingView,
} from '../read-model/counting-view.testing';
import { type CommitThread, startCommitThread } from './commit-thread';
import { nodeSqliteDialect } from './node-sqlite-dialect';
import { fileHealth } from './file-health';

describe('Commit thread', () => {
  const { file, remove } = folder();
  const database = new DatabaseSync(file());
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  const notes = () => database.prepare('SELECT text FROM notes ORDER BY id').all();
  // The commit thread reads only these two fields of a compiled query.
  const query = (sql: string, ...parameters: readonly unknown[]) => ({ sql, parameters }) as unknown as CompiledQuery;
  const insert = (text: string | null) => query('INSERT INTO notes (text) VALUES (?)', text);
  let committing: CommitThread;
  beforeAll(
    () =>
      (committing = startCommitThread(file(), fileHealth(file()), () => Promise.reject(new Error('not asked for')))),
  );
  afterEach(() => database.exec('DELETE FROM notes'));
  afterAll(async () => {
    await committing.end();
    database.close();
    remove();
  });

  it('commits all transactions in the order of the calls', async () => {
    const commits = [
      committing.allOrNothing([insert('one'), insert('two')]),
      committing.allOrNothing([insert('three')]),
    ];
    expect(await Promise.all(commits)).toEqual([true, true]);
    expect(notes()).toEqual([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
  });

  it('commits nothing when the first statement changes no row', async () => {
    const noRow = query('UPDATE notes SET text = ? WHERE id = ?', 'x', 99);
    expect(await committing.allOrNothing([noRow, insert('one')])).toBe(false);
    expect(notes()).toEqual([]);
  });

  it('rolls a transaction back and reports the error when a statement fails, and still commits the next transaction', async () => {
    await expect(committing.allOrNothing([insert('one'), insert(null)])).rejects.toMatchObject({
      message: expect.stringContaining('NOT NULL'),
      errcode: 1299,
    });
    expect(notes()).toEqual([]);
    expect(await committing.allOrNothing([insert('two')])).toBe(true);
  });

  it('commits after a checkpoint has restarted the write-ahead log', async () => {
    committing.restartLog();
    expect(await committing.allOrNothing([insert('one')])).toBe(true);
    expect(notes()).toEqual([{ text: 'one' }]);
  });

  it('reports an unknown outcome when it ends; the process then commits later transactions on its own connection', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const tables = new Kysely<Schema>({ dialect: nodeSqliteDialect(database, fileHealth(file())) });
    const broken = startCommitThread(join(file(), 'no', 'folder.db'), fileHealth(file()), inTransaction(tables));
    await expect(broken.allOrNothing([insert('one')])).rejects.toThrow('has ended');
    expect(warned).toHaveBeenCalledWith(expect.stringContaining('the main thread writes this file now'));
    expect(await broken.allOrNothing([insert('two')])).toBe(true);
    expect(notes()).toEqual([{ text: 'two' }]);
    await broken.end();
    warned.mockRestore();
  });
});

describe('Projected documents of a server', () => {
  it('equal the documents that the command line projects; a commit of an overtaken projector is refused', async () => {
    const fixture = await opened();
    const serving = await openDatabase({
      file: `${(fixture.place.options as { file: string }).file}.server`,
      serving: true,
    });
    for (const stream of ['tally-a', 'tally-b', 'tally-c'])
      await fixture.write(stream, named(stream), counted(2), tagAdded('new'), counted(3));
    const [commandLineView, serverView] = [fixture.database.view(countingView()), serving.view(countingView())];
    await projectAll(fixture.log, commandLineView);
    await projectAll(fixture.log, serverView);
    expect(await contents(serverView)).toEqual(await contents(commandLineView));

    const edition = (await serverView.live())!;
    const from = await edition.status();
    const nothing = { to: from.checkpoint!, documents: new Map<string, never>(), rows: new Map<string, never>() };
    await expect(edition.commit({ from: { checkpoint: undefined, commits: 0 }, ...nothing })).rejects.toThrow(
      Overtaken,
    );
    await edition.commit({ from, ...nothing });
    await serving.close();
    await fixture.close();
  });
});

describe('Closing a file with its threads', () => {
  it('completes in a process that has nothing else to wait for', () => {
    const { file, remove } = folder();
    const script = `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(__filename)});
      const { openDatabase } = require('../index.ts');
      const { countingView, named, projectAll, writerTo } = require('../read-model/counting-view.testing.ts');
      const { MemoryLog } = require('@charter/event-log');
      const database = await openDatabase({ file: ${JSON.stringify(file())}, serving: true });
      const log = new MemoryLog();
      await writerTo(log)('tally-a', named('a'));
      await projectAll(log, database.view(countingView())); // a thread has committed the document
      await database.purgeErased(); // the other thread has made a checkpoint
      await log.close();
      await database.close();
      console.log('closed');`;
    const source = join(__dirname, '../../../../test/support/from-source.mjs');
    const { status, stdout } = spawnSync(process.execPath, ['--import', source, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    remove();
    expect([status, stdout]).toEqual([0, 'closed\n']); // Node exits with status 13 if a top-level await never settles
  }, 30_000);
});
