import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@charter/database';
import { MemoryLog, memoryStore, SqliteLog } from '@charter/event-log';
import fc from 'fast-check';
import { anySteps, expectTheReplay, type Ground } from './interleaving';
import { seed } from './seed';

const folder = mkdtempSync(join(tmpdir(), 'charter-interleaving-'));
afterAll(() => rmSync(folder, { recursive: true }));
let run = 0;

/**
 * All projectors share one file and one connection, because two connections in one thread would block each other for
 * ever.
 */
async function ground(kind: 'memory' | 'SQLite'): Promise<Ground & { close: () => Promise<void> }> {
  const file = (name: string) => join(folder, `${(run += 1)}-${name}.db`);
  const database = await openDatabase({ file: file('documents') });
  const log = kind === 'memory' ? new MemoryLog(memoryStore()) : await openSqlite(file('events'));
  return {
    openLog: () => Promise.resolve(log),
    openDocuments: () => Promise.resolve(database),
    close: async () => {
      await database.close();
      await log.close();
    },
  };
}
const openSqlite = (file: string) => SqliteLog.open({ file, role: 'server' });

it.each([
  ['memory', 30],
  ['SQLite', 8],
] as const)(
  'O1, O2, O3, O9, P3: The read model of an event log in %s equals a replay after any order of appends, stops, kills, pauses, rebuilds and releases',
  async (kind, numRuns) => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const { close, ...stores } = await ground(kind);
        await expectTheReplay(stores, steps).finally(close);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  },
  120_000,
);
