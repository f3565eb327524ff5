// Sends transactions to the thread that commits the tables: node committing.cjs COMMITTER FILE COUNT together|in-turn.
// With `in-turn`, it waits for the commit of each transaction, and then prints `ack`. With `together`, it sends all
// transactions before the first commit. At the end, it prints the outcomes.
const { once } = require('node:events');
const { writeSync } = require('node:fs');
const { DatabaseSync } = require('node:sqlite');
const { Worker } = require('node:worker_threads');

const [committer, file, count, manner] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL) STRICT');

async function main() {
  const thread = new Worker(committer, { workerData: { file } });
  const send = (index) =>
    thread.postMessage([{ sql: 'INSERT INTO notes (text) VALUES (?)', parameters: [`${index}`] }]);
  const outcomes = [];
  const answered = async () => {
    const [outcome] = await once(thread, 'message');
    outcomes.push(outcome);
    if (outcome.done) writeSync(1, `ack ${outcomes.length}\n`);
  };
  if (manner === 'together') {
    const all = Promise.all([
      new Promise((resolve) => {
        thread.on('message', (outcome) => outcomes.push(outcome) === Number(count) && resolve());
      }),
    ]);
    for (let index = 0; index < Number(count); index++) send(index);
    await all;
  } else
    for (let index = 0; index < Number(count); index++) {
      send(index);
      await answered();
    }
  writeSync(1, `${JSON.stringify(outcomes)}\n`);
  thread.postMessage('end');
}

void main();
