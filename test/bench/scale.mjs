// npm run bench:scale: measures how latency, memory and the time of rebuilds grow with the data, on both kinds of
// stores (docs/explanation/scale.md). SCALE=1000000: the largest number of organizations (default 5000). The bench
// first measures a hundredth and a tenth of this number. SCALE_ONLY=embedded or SCALE_ONLY=servers selects one kind of
// stores.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { endAll } from './children.mjs';
import { EVENTS_EACH, grown } from './growing.mjs';
import { eventServer, onServers, postgres } from './servers.mjs';
import { sideBySide } from './side-by-side.mjs';

const results = resolve('test/bench/results');
mkdirSync(results, { recursive: true });
const folder = mkdtempSync(join(results, 'scale-'));
process.on('exit', () => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const scale = Number(process.env.SCALE ?? 5_000);
if (!Number.isInteger(scale) || scale < 100) {
  process.stderr.write('SCALE must be a number of organizations, at least 100.\n');
  process.exit(1);
}
const sizes = [scale / 100, scale / 10, scale].map(Math.round);
const say = (sentence) => process.stderr.write(`${sentence}\n`);

const modes = {
  embedded: async () => {
    const steps = await grown({ folder, name: 'embedded', settings: {}, sizes, atOnce: 64, say });
    return { mode: 'embedded', against: 'SQLite files', steps };
  },
  servers: async () => {
    const [events, documents] = [await eventServer(folder), await postgres()];
    const settings = onServers(events, documents);
    const steps = await grown({ folder, name: 'servers', settings, sizes, atOnce: 16, say });
    await documents.stop();
    await events.stop();
    return { mode: 'servers', against: `${events.label}; ${documents.label}`, steps };
  },
};
const selected = (process.env.SCALE_ONLY ?? Object.keys(modes).join(',')).split(',');
const unknown = selected.filter((name) => !(name in modes));
if (unknown.length > 0) {
  say(`SCALE_ONLY knows ${Object.keys(modes).join(' and ')}, not ${unknown.join(', ')}.`);
  process.exit(1);
}

const begun = performance.now();
const [load] = loadavg();
const measured = [];
for (const name of selected) measured.push(await modes[name]());

const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const report = { machine, at: new Date().toISOString(), load, scale, eventsEach: EVENTS_EACH, modes: measured };
writeFileSync(join(results, 'scale.json'), `${JSON.stringify(report, null, 2)}\n`);
const took = Math.round((performance.now() - begun) / 1000);
process.stdout.write(
  `${measured.map(sideBySide).join('\n\n')}\n\n${machine}; ${report.at}; ${took} s; load before: ${load.toFixed(1)}\n`,
);
process.exit(0);
