// Usage: node closing.cjs COMPILED FILE. Appends to a log, and closes the log before it gets the outcomes. Prints
// the size of the write-ahead log after the close, and the outcomes of the appends.
const { randomUUID } = require('node:crypto');
const { statSync } = require('node:fs');
const { join } = require('node:path');
const { DatabaseSync } = require('node:sqlite');

const [compiled, file] = process.argv.slice(2);
const { SqliteLog } = require(join(compiled, 'sqlite/sqlite-log.js'));
/** More appends than the writer puts into one transaction. */
const APPENDS = 200;

async function main() {
  const log = await SqliteLog.open({ file, role: 'server' });
  // While another connection is open, SQLite does not empty the WAL by itself when the writer closes its connection.
  const other = new DatabaseSync(file);
  other.prepare('SELECT count(*) FROM events').get();
  const append = (_, index) =>
    log.append(`s${index}`, [{ id: randomUUID(), type: 'Noted', data: {} }], { expected: 'any' }).then(
      () => 'stored',
      ({ kind }) => kind,
    );
  const outcomes = Array.from({ length: APPENDS }, append);
  await log.close();
  const wal = statSync(`${file}-wal`).size;
  process.stdout.write(JSON.stringify({ wal, outcomes: [...new Set(await Promise.all(outcomes))] }));
  process.exit(); // the second connection stays open, because its close would change the file
}

void main();
