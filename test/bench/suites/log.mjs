import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rounds, row } from '../measure.mjs';
import { lib } from '../product.mjs';

const CALLERS = [1, 8, 64, 256];
const SECONDS = 0.6;

/**
 * Measures the event log alone: appends of one event, with a separate stream for each caller. For comparison, the floor
 * commits one row for each append, without Charter's code.
 */
export async function log({ folder, rounds: count }) {
  const { SqliteLog } = lib('event-log');
  const store = await SqliteLog.open({ file: join(folder, 'log.db'), role: 'server' });
  const bare = bareCommits(join(folder, 'bare.db'));
  const measures = Object.fromEntries(CALLERS.map((callers) => [callers, () => appends(store, callers)]));
  await appends(store, 64); // warms up, not measured
  const { floor, ...figures } = await rounds(count, { floor: bare.measure, ...measures });
  bare.close();
  await store.close();
  return CALLERS.map((callers) =>
    row({ name: `log: append, ${callersText(callers)}`, unit: '/s', values: figures[callers], floor }),
  );
}

export const callersText = (callers) => `${callers} caller${callers === 1 ? '' : 's'}`;

/** The number of appends a second, measured for `SECONDS`. */
async function appends(store, callers) {
  const begun = performance.now();
  let done = 0;
  const caller = async () => {
    const stream = `bench-${randomUUID()}`;
    for (let expected = 'no_stream'; performance.now() < begun + SECONDS * 1000; done += 1)
      expected = (await store.append(stream, [event()], { expected })).revision;
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - begun);
}

/** An event about as large as a `MemberAdded`. */
const event = () => ({
  id: randomUUID(),
  type: 'MemberAdded',
  data: { member: randomUUID(), role: 'member' },
  metadata,
});
const metadata = { filled: 'x'.repeat(480) };
const bytes = JSON.stringify(event()).length;

function bareCommits(file) {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (content BLOB)');
  const insert = db.prepare('INSERT INTO rows (content) VALUES (?)');
  const content = Buffer.alloc(bytes, 'x');
  const measure = () => {
    const begun = performance.now();
    let done = 0;
    // each insert is a separate commit
    for (; performance.now() < begun + SECONDS * 1000; done += 1) insert.run(content);
    return (done * 1000) / (performance.now() - begun);
  };
  return { measure, close: () => db.close() };
}
