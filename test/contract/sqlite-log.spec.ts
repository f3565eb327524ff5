import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type EventLog, SqliteLog } from '@charter/event-log';
import { describeEventLog } from './event-log.contract';

const folder = mkdtempSync(join(tmpdir(), 'charter-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = new Map<EventLog, string>();
let stores = 0;

async function opened(file: string, role: 'server' | 'beside' = 'server') {
  const log = await SqliteLog.open({ file, role });
  files.set(log, file);
  return log;
}

const openedNew = () => opened(join(folder, `${++stores}.db`));

describeEventLog('SQLite', openedNew, {
  empty: openedNew,
  reopen: async (log) => {
    await log.close();
    return opened(files.get(log)!);
  },
  beside: (log) => opened(files.get(log)!, 'beside'),
  freeze: async (log) => {
    const other = new DatabaseSync(files.get(log)!);
    other.exec('BEGIN IMMEDIATE');
    return async () => other.close();
  },
});
