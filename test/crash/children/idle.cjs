// Usage: node idle.cjs log COMPILED FILE, or node idle.cjs tables CHECKPOINTER FILE.
// Writes once to a store, and then waits until the store's checkpoint thread has made a checkpoint or has failed.
// Prints at the end whether the store is healthy and whether its WAL is empty.
const { randomUUID } = require('node:crypto');
const { statSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const { DatabaseSync } = require('node:sqlite');
const { setTimeout: pause } = require('node:timers/promises');
const { Worker } = require('node:worker_threads');

const [store, code, file] = process.argv.slice(2);
const isCut = () => statSync(`${file}-wal`).size === 0;
/**
 * The longest wait in milliseconds. Without this limit, the program would wait for ever if a thread ignored a failed
 * flush.
 */
const WAIT_MS = 15_000;
const isOver = () => isCut() || performance.now() > WAIT_MS;

async function log() {
  const { SqliteLog } = require(join(code, 'sqlite/sqlite-log.js'));
  const opened = await SqliteLog.open({ file, role: 'server' });
  await opened.append('s', [{ id: randomUUID(), type: 'Noted', data: {} }], { expected: 'any' });
  while (!isOver() && opened.healthy) await pause(50);
  const { healthy } = opened;
  writeSync(1, JSON.stringify({ healthy, cut: isCut() }));
  process.exit(); // ends without closing the store, because a close would make another checkpoint
}

async function tables() {
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE IF NOT EXISTS notes (text TEXT)',
  );
  database.exec("INSERT INTO notes VALUES ('a note')");
  const thread = new Worker(code, { workerData: { file } });
  let healthy = true;
  thread.once('error', () => (healthy = false));
  while (!isOver() && healthy) await pause(50);
  writeSync(1, JSON.stringify({ healthy, cut: isCut() }));
  process.exit();
}

void (store === 'log' ? log() : tables());
