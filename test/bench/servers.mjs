import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { begin } from './children.mjs';
import { freePort } from '../support/network/free-port.mjs';

/**
 * The EventStoreDB at `EVENTSTORE_URL`. If this variable is not set: the façade, a stand-in for EventStoreDB. Figures
 * over the façade show only the cost of Charter's adapter, not the cost of a server.
 */
export async function eventServer(folder) {
  const url = process.env.EVENTSTORE_URL;
  if (url) return { url, label: 'EventStoreDB (EVENTSTORE_URL)', stop: () => Promise.resolve() };
  const port = await freePort();
  const args = ['--port', String(port), '--data', join(folder, 'facade')];
  const facade = begin('test/facade/main.mjs', { args });
  await pause(1_500);
  return { url: `esdb://127.0.0.1:${port}?tls=false`, label: 'façade, no real server', stop: facade.stop };
}

/**
 * A real PostgreSQL: the server of `DATABASE_URL`, or a temporary server with fsync. `url` names a new schema, which is
 * dropped at the end.
 */
export async function postgres() {
  const schema = `bench_${randomBytes(6).toString('hex')}`;
  const named = process.env.DATABASE_URL;
  const keeper = named ? undefined : await keeperOf();
  const server = named ?? keeper.url;
  return {
    url: `${server}${server.includes('?') ? '&' : '?'}schema=${schema}`,
    label: `PostgreSQL ${await versionOf(server)} (${named ? 'DATABASE_URL' : keeper.how})`,
    /** A client of the library that Charter also uses, without code of Charter. */
    client: () => clientOf(server),
    stop: async () => {
      if (keeper) return keeper.stop();
      const client = await clientOf(server);
      await client.query(`drop schema if exists ${schema} cascade`);
      await client.end();
    },
  };
}

/** The settings of a process that has all its stores on servers. */
export const onServers = (events, documents) => ({
  EVENT_LOG: events.url,
  EVENT_LOG_ALLOW_INSECURE: 'true',
  ...(documents && { DOCUMENTS: documents.url }),
  SESSION_SECRET: 'of a measurement, and of nothing else whatsoever',
  CHECKPOINT_KEY: Buffer.alloc(32, 'bench').toString('base64'),
});

/**
 * A temporary cluster. A child process, the keeper, runs the cluster. The keeper stops the cluster and ends when its
 * standard input closes, so the keeper never outlives this process.
 */
async function keeperOf() {
  const child = spawn(process.execPath, ['test/support/stores/postgres-keeper.mjs', 'any', '-'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true, // an interrupt of the measurement does not reach the keeper
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { ...JSON.parse(line), stop };
}

async function clientOf(url) {
  const { Client } = createRequire(import.meta.url)('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function versionOf(url) {
  const client = await clientOf(url);
  const { rows } = await client.query('show server_version');
  await client.end();
  return rows[0].server_version.split(' ')[0];
}
