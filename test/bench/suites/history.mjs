import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { atMost, duration, perSecond, rounds, row } from '../measure.mjs';
import { environment, lib, opened, served } from '../product.mjs';
import { founded, keyIn } from '../stores.mjs';
import { fromStoredStates, statesStored } from '../stored-states.mjs';

const MEMBERS = 4;
const EVENTS = 100_000;
const MiB = 2 ** 20;
const LINE_FEED = 10;

/**
 * Measures an auditor's queries about one organization with a hundred thousand events. For comparison, the floor reads
 * and parses the same rows without Charter's code.
 */
export async function history({ folder, rounds: count }) {
  const few = await founded(folder, 'history-few', { organizations: 1, members: MEMBERS, events: EVENTS / 10 });
  const many = await founded(folder, 'history-many', { organizations: 1, members: MEMBERS, events: EVENTS });
  return [...(await queried(many, count)), ...(await streamed(few, many, count))];
}

/** Measures queries in this process, on open stores. */
async function queried({ path, ids: [id] }, count) {
  const charter = await opened(path, 'beside');
  const stream = lib('organization').organizationStream(id);
  const { entitlements } = lib('organization-view');
  const rows = rowsOf(path, stream);
  const ask = (extent) =>
    duration(async () => {
      const past = await charter.organizations.replay(stream, extent);
      JSON.stringify(entitlements(id)(past, past.at));
    });
  await statesStored(path, stream);
  const askStored = (extent) => fromStoredStates(path, id, extent);
  const figures = await warmed(count, {
    parse: () => duration(() => void rows.parsed()),
    asOf: () => ask({ until: { revision: EVENTS - 1 } }),
    valid: () => ask({ valid: new Date().toISOString() }),
    asOfStored: () => askStored({ until: { revision: EVENTS - 2 } }),
    validStored: () => askStored({ valid: new Date().toISOString() }),
    verify: () =>
      duration(async () => {
        const verdict = await lib('application').verifyChainOf(charter, id);
        if (!verdict.ok || verdict.events !== EVENTS) throw new Error('The chain was not followed to its end.');
      }),
    hash: () => duration(() => void rows.hashed()),
  });
  rows.close();
  await charter.close();
  const name = `${EVENTS.toLocaleString('en')} events`;
  return [
    row({
      name: `asOf, ${name}, from stored states`,
      unit: 'ms',
      values: figures.asOfStored,
      floor: figures.parse,
      target: { ratio: atMost(1.3) },
    }),
    row({
      name: `valid, ${name}, from stored states`,
      unit: 'ms',
      values: figures.validStored,
      floor: figures.parse,
      target: { ratio: atMost(1.3) },
    }),
    row({ name: `asOf, ${name}, from the first event`, unit: 'ms', values: figures.asOf, floor: figures.parse }),
    row({ name: `valid, ${name}, from the first event`, unit: 'ms', values: figures.valid, floor: figures.parse }),
    row({ name: `verify, ${name}; floor: parsed and hashed`, unit: 'ms', values: figures.verify, floor: figures.hash }),
  ];
}

/** Measures the speed and the memory of reading a whole history, over HTTP and on the command line. */
async function streamed(few, many, count) {
  const headers = { Authorization: `Bearer ${await keyIn(many.path)}`, Accept: 'application/x-ndjson' };
  const rows = rowsOf(many.path, lib('organization').organizationStream(many.ids[0]));
  const service = await served(many.path);
  const url = `http://127.0.0.1:${service.port}/api/v1/organizations/${many.ids[0]}/events`;
  const figures = await warmed(count, {
    parse: () => perSecond(EVENTS, () => void rows.parsed()),
    http: () => perSecond(EVENTS, async () => mustBe(EVENTS, await linesIn((await fetch(url, { headers })).body))),
  });
  rows.close();
  await service.stop();
  const memory = await rounds(count, {
    few: () => memoryOf(few, EVENTS / 10),
    many: () => memoryOf(many, EVENTS),
  });
  return [
    row({
      name: `history as lines over HTTP, ${EVENTS.toLocaleString('en')} events`,
      unit: '/s',
      values: figures.http,
      floor: figures.parse,
    }),
    row({
      name: 'charter history --json: memory, ten times the events',
      unit: 'MiB',
      values: memory.many,
      floor: memory.few,
      target: { more: atMost(32) },
    }),
  ];
}

/** The peak memory of a process that prints a whole history, in MiB. */
async function memoryOf({ path, ids }, events) {
  const main = resolve('dist/apps/api/apps/cli/src/main.js');
  const report = `process.on('exit', () => require('node:fs').writeSync(2, String(process.resourceUsage().maxRSS)));`;
  const script = `${report} process.argv.splice(1, 0, ${JSON.stringify(main)}); require(${JSON.stringify(main)});`;
  const child = spawn(process.execPath, ['-e', script, 'history', ids[0], '--json'], {
    env: { ...process.env, ...environment(path) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => (said += piece));
  mustBe(events, await linesIn(child.stdout));
  if (child.exitCode === null) await once(child, 'exit');
  return (Number(said) * 1024) / MiB;
}

async function linesIn(body) {
  let lines = 0;
  for await (const piece of body)
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, end + 1)) lines += 1;
  return lines;
}

function mustBe(expected, events) {
  if (events !== expected) throw new Error(`${events} events came instead of ${expected}.`);
}

/** Measures one more round than `count`, and drops the first round, which only warms up. */
const warmed = (count, measures) =>
  rounds(count + 1, measures).then((figures) =>
    Object.fromEntries(Object.entries(figures).map(([name, [, ...warm]]) => [name, warm])),
  );

function rowsOf(path, stream) {
  const db = new DatabaseSync(join(path, 'events.db'), { readOnly: true });
  const page = db.prepare(
    `SELECT revision, type, CAST(data AS TEXT), CAST(metadata AS TEXT) FROM events
     WHERE stream = (SELECT id FROM streams WHERE name = ?) AND revision >= ? ORDER BY revision LIMIT 500`,
  );
  page.setReturnArrays(true);
  const each = (take) => {
    let seen = 0;
    for (let rows = page.all(stream, 0); rows.length > 0; rows = page.all(stream, seen)) {
      for (const cells of rows) take(cells);
      seen += rows.length;
    }
    mustBe(EVENTS, seen);
  };
  return {
    close: () => db.close(),
    parsed: () => each(([, , data, metadata]) => [JSON.parse(data), JSON.parse(metadata)]),
    hashed: () =>
      each(([, , data, metadata]) => {
        [JSON.parse(data), JSON.parse(metadata)];
        createHash('sha256').update(data).update(metadata).digest('hex');
      }),
  };
}
