// node test/upgrade/make-old-store.mjs CHECKOUT NAME [postgres://…]: makes test/upgrade/NAME: a store that the release
// in CHECKOUT writes, and the answers of that release. CHECKOUT is a built clone of the release. If the address of an
// empty PostgreSQL database is given, the tables are in this database, and `pg_dump` copies them into the store. Run
// the script only once for each release, because the files must never change.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answersOf } from './answers.mjs';

const [checkout, name, database] = process.argv.slice(2);
const target = join(import.meta.dirname, name);
if (existsSync(target)) throw new Error(`${target} exists, and an old store never changes. Choose another name.`);
const work = mkdtempSync(join(tmpdir(), 'charter-old-'));
const environment = {
  ...process.env,
  PORT: '4877',
  CHARTER_DATA: join(work, 'data'),
  SESSION_SECRET: 'the-session-secret-of-the-old-stores-in-test-upgrade',
  CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'),
  ...(database && { DOCUMENTS: database }),
};
const node = join(resolve(checkout), 'node_modules/.bin/node');

const server = spawn(node, ['dist/apps/api/apps/api/src/main.js'], { cwd: checkout, env: environment });
let printed = '';
server.stdout.on('data', (text) => (printed += text));
while (!printed.includes('"url"')) await once(server.stdout, 'data');
const key = /chk_[\w-]+/.exec(printed)[0];
const [, email, password] = /operator +(\S+@\S+) +(\S+)/.exec(printed);
const ask = async (method, path, body) => {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://localhost:4877/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer;
};

const { id } = await (await ask('POST', '/organizations', { name: 'Old Acme' })).json();
const commands = [
  { type: 'AssignPlan', data: { line: 'second', plan: 'teams', effectiveAt: '2026-01-05T00:00:00.000Z' } },
  { type: 'PurchaseAddOn', data: { purchase: 'p-1', addOn: 'additionalUser', quantity: 2 } },
  { type: 'AddMember', data: { member: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e01', role: 'owner' } },
  { type: 'AddMember', data: { member: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e02', role: 'member' } },
  { type: 'FlagProductUser', data: { member: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e02' } },
  {
    type: 'AddSite',
    data: { site: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e03', hostname: 'münchen.example', name: 'Shop' },
  },
  { type: 'ConfigureLimits', data: { users: 9 } },
  { type: 'OverrideHardLimits', data: { reason: 'a favour' } },
  { type: 'ReportTraffic', data: { month: '2026-01', views: 5_000 } },
  { type: 'RemoveMember', data: { member: '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e02' } },
];
await ask('POST', `/organizations/${id}/commands`, { commands });
const answers = await answersOf('http://localhost:4877', { email, password });
server.kill('SIGTERM');
await once(server, 'exit');

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'answers.json'), `${JSON.stringify({ operator: { email, password }, answers }, null, 1)}\n`);
writeFileSync(join(target, 'corrected.json'), '[]\n');
const keep = (file, bytes) => writeFileSync(join(target, `${file}.gz`), gzipSync(bytes, { level: 9 }));
if (database) {
  keep('events.db', readFileSync(join(work, 'data', 'events.db')));
  const dump = spawnSync('pg_dump', ['--inserts', '--no-owner', '--schema=charter', database], { maxBuffer: 1e9 });
  if (dump.status !== 0) throw new Error(String(dump.stderr));
  keep('tables.sql', dump.stdout);
} else {
  const copy = join(work, 'copy');
  const { status, stderr } = spawnSync(node, ['bin/charter.mjs', 'backup', copy], { cwd: checkout, env: environment });
  if (status !== 0) throw new Error(String(stderr));
  for (const file of ['events.db', 'documents.db']) keep(file, readFileSync(join(copy, file)));
}
console.log(`Commit ${target}.`);
