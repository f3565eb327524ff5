// Appends until it is killed, or MOST times, and prints each acknowledged id: node writer.cjs COMPILED FILE [CALLERS]
// [MOST] [ROLE] [PAUSE]. PAUSE: milliseconds before each append. After the pause, the program prints the line "send".
const { join } = require('node:path');
const { randomUUID } = require('node:crypto');
const { writeSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');

const [compiled, file, callers = '8', most = 'Infinity', role = 'server', pause = '0'] = process.argv.slice(2);
const { SqliteLog } = require(join(compiled, 'sqlite/sqlite-log.js'));

async function main() {
  const log = await SqliteLog.open({ file, role });
  writeSync(1, 'ready\n');
  const work = Array.from({ length: Number(callers) }, (_, caller) => append(log, `${caller % 4}-${randomUUID()}`));
  await Promise.all(work);
  await log.close();
}

const metadata = { at: '2026-11-21T10:00:00.000Z', schema: 1, actor: { kind: 'system', id: 'writer' } };

/**
 * One caller with a separate stream. The caller's appends have one and two events in alternation. The caller prints the
 * ids of each append after the log has answered.
 */
async function append(log, stream) {
  let expected = 'no_stream';
  for (let written = 0; written < Number(most);) {
    const ids = Array.from({ length: written % 3 === 0 ? 1 : 2 }, () => randomUUID());
    const events = ids.map((id) => ({ id, type: 'Noted', data: { text: 'x'.repeat(400) }, metadata }));
    if (pause !== '0') await sleep(Number(pause)).then(() => writeSync(1, 'send\n'));
    const { revision } = await log.append(stream, events, { expected });
    writeSync(1, `ack ${stream} ${revision} ${ids.join(' ')}\n`);
    expected = revision;
    written += ids.length;
  }
}

main().catch((error) => {
  writeSync(1, `failed ${error.kind} ${error.message}\n`);
  process.exitCode = 1;
});
