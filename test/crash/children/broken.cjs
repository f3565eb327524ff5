// Usage: node broken.cjs COMPILED FILE [MIB]. With MIB, creates a log whose write-ahead log has this size. Otherwise
// appends small events to the log until the disk fails, waits some seconds, in which a healthy log would make a
// checkpoint, and then closes the log.
const { randomUUID } = require('node:crypto');
const { join } = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

const [compiled, file, mib] = process.argv.slice(2);
const { SqliteLog } = require(join(compiled, 'sqlite/sqlite-log.js'));
/** Milliseconds: longer than the delay before the checkpoint thread starts, plus two of its intervals. */
const WAIT_MS = 6_000;
/** Milliseconds: longer than a checkpoint of a large write-ahead log, and shorter than the interval of checkpoints. */
const APPEND_EVERY_MS = 700;
/** The longest time in milliseconds for which the program waits until the disk fails. */
const PATIENCE_MS = 15_000;

async function main() {
  const log = await SqliteLog.open({ file, role: 'server' });
  const append = (size) =>
    log.append('s', [{ id: randomUUID(), type: 'Noted', data: { text: 'x'.repeat(size) } }], { expected: 'any' });
  if (mib) {
    for (let index = 0; index < Number(mib); index++) await append(1_000_000);
    process.exit(); // ends without closing the log, because a close would empty the write-ahead log
  }
  while (log.healthy && performance.now() < PATIENCE_MS) {
    await append(1).catch(() => undefined);
    await pause(APPEND_EVERY_MS);
  }
  await pause(WAIT_MS);
  await log.close();
}

void main();
