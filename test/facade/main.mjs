// The façade as a separate process: node test/facade/main.mjs --port 2113 --data FOLDER [--library DIST/event-log].
// With --key and --certificate, the façade uses TLS. With --user NAME:PASSWORD, it accepts only this user. With `--role
// beside`, it is a further member of a cluster, over the log of another façade. A test that starts this process can
// also order faults over the process channel.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { facadeOver } from './server.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '2113' },
    data: { type: 'string', default: './data/facade' },
    library: { type: 'string', default: 'dist/apps/api/libs/event-log/src' },
    release: { type: 'string', default: '23.10.8' },
    key: { type: 'string' },
    certificate: { type: 'string' },
    user: { type: 'string' },
    role: { type: 'string', default: 'server' },
  },
});
const { SqliteLog } = createRequire(import.meta.url)(resolve(values.library, 'sqlite/sqlite-log.js'));

mkdirSync(values.data, { recursive: true });
const log = await SqliteLog.open({ file: join(values.data, 'events.db'), role: values.role });
const tls = values.key && { key: readFileSync(values.key), cert: readFileSync(values.certificate) };
const { user, release: version } = values;
const facade = await facadeOver(log, { folder: values.data, port: Number(values.port), version, tls, user });
const { faults, listener, state } = facade;

const orders = {
  order: ([name, order]) => void faults.order(name, order),
  taken: ([name]) => faults.taken(name),
  deny: ([whether]) => void faults.deny(whether),
  endSubscriptions: ([how]) => faults.endSubscriptions(how),
  runningAppends: () => faults.runningAppends(),
  takePeak: () => faults.takePeak(),
  subscriptions: () => faults.subscriptions(),
  subscriptionsBegun: () => faults.subscriptionsBegun(),
  garble: ([stream, revision]) => void faults.garble(stream, revision),
  cut: () => listener.cut(),
  connections: () => listener.connections(),
  refuse: () => listener.refuse(),
  accept: () => listener.accept(),
  slowDown: ([ms]) => void listener.slowDown(ms),
  set: ([what]) => void Object.assign(state, what),
};
const stop = async () => {
  await facade.close();
  process.exit(0);
};

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
if (process.send) {
  process.on('disconnect', stop); // the parent process has ended
  process.on('message', async ({ id, order, given }) => process.send({ id, answer: await orders[order](given) }));
  process.send({ url: facade.url });
} else {
  process.stderr.write(`A stand-in for EventStoreDB is at ${facade.url}; its log is in ${resolve(values.data)}.\n`);
  process.stderr.write(
    'It is for tests and for trying things out: it keeps one machine’s log and guards it with no password.\n',
  );
}
