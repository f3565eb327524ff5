// npm run bench: measures each path of the product, and its floor (the program to compare with), in alternating rounds
// (docs/reference/performance.md). BENCH_ROUNDS=9 sets the number of rounds, and BENCH_ONLY=members,reads selects the
// suites. SCALE=1 adds measurements with a million events or 100,000 organizations, which take many minutes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { endAll } from './children.mjs';
import { evaluation } from './suites/evaluation.mjs';
import { eventStore } from './suites/eventstore.mjs';
import { fold } from './suites/fold.mjs';
import { history } from './suites/history.mjs';
import { log } from './suites/log.mjs';
import { members } from './suites/members.mjs';
import { memory } from './suites/memory.mjs';
import { notices } from './suites/notices.mjs';
import { ofrep } from './suites/ofrep.mjs';
import { reads } from './suites/reads.mjs';
import { onPostgres } from './suites/postgres.mjs';
import { rebuilds } from './suites/rebuild.mjs';
import { signIn } from './suites/sign-in.mjs';
import { start } from './suites/start.mjs';
import { streams } from './suites/streams.mjs';
import { table } from './table.mjs';

const suites = {
  log,
  streams,
  fold,
  history,
  members,
  reads,
  ofrep,
  'sign-in': signIn,
  evaluation,
  notices,
  memory,
  rebuild: rebuilds,
  start,
  eventstore: eventStore,
  postgres: onPostgres,
};

const results = resolve('test/bench/results');
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, 'stores-')); // not in /tmp, which may be in memory: here fsync reaches a disk
const clean = () => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
};
process.on('exit', clean);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const selected = (process.env.BENCH_ONLY ?? Object.keys(suites).join(',')).split(',');
const unknown = selected.filter((name) => !(name in suites));
if (unknown.length > 0) {
  process.stderr.write(`BENCH_ONLY knows ${Object.keys(suites).join(', ')}, not ${unknown.join(', ')}.\n`);
  process.exit(1);
}

const settings = {
  folder,
  rounds: Math.max(1, Number(process.env.BENCH_ROUNDS ?? 5)),
  scale: process.env.SCALE === '1',
  say: (sentence) => process.stderr.write(`${sentence}\n`),
};
const begun = performance.now();
const [busy] = loadavg(); // the load before the bench, because figures of a busy machine are not reliable
const rows = [];
const failed = []; // a failed suite does not stop the others, so the report contains their rows
for (const name of selected) {
  settings.say(`${name} …`);
  try {
    rows.push(...(await suites[name](settings)));
  } catch (error) {
    settings.say(`${name} failed: ${error.stack}`);
    failed.push(name);
    endAll();
  }
}

const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const report = { machine, at: new Date().toISOString(), rounds: settings.rounds, load: busy, failed, rows };
writeFileSync(join(results, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(
  `${table(rows)}\n${machine}; ${report.at}; ${settings.rounds} rounds, ${Math.round((performance.now() - begun) / 1000)} s; load before: ${busy.toFixed(1)}\n`,
);
if (failed.length > 0) settings.say(`No rows from ${failed.join(', ')}: see the errors above.`);
process.exit(failed.length > 0 ? 1 : 0);
