// Appends until the disk fails, and reports the result on stdout: node failing.cjs COMPILED FILE
const { join } = require('node:path');
const { randomUUID } = require('node:crypto');

const [compiled, file] = process.argv.slice(2);
const { SqliteLog } = require(join(compiled, 'sqlite/sqlite-log.js'));
const noted = () => [{ id: randomUUID(), type: 'Noted', data: { text: 'x'.repeat(400) } }];

async function main() {
  const log = await SqliteLog.open({ file, role: 'server' });
  const failures = [];
  let acknowledged = 0;
  while (failures.length < 2) {
    await log.append('s', noted(), { expected: 'any' }).then(
      () => acknowledged++,
      ({ kind }) => failures.push(kind),
    );
  }
  let read = 0;
  for await (const events of log.batches()) read += events.length;
  process.stdout.write(JSON.stringify({ acknowledged, failures, healthy: log.healthy, read }));
  await log.close();
}

void main();
