import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type Projection, project } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { type Charter, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { CommandLine, ended, eventually, found } from './command-line';

/** The tests open the stores as the server does: with the lock, and with a projector. */
let charter: CommandLine;
let server: Charter;
let projection: Projection;
beforeEach(async () => {
  charter = new CommandLine();
  server = await openCharter(parseSettings({ CHARTER_DATA: charter.data }), 'server');
  projection = project(server.log, server.view, organizationView, {
    alarm: () => undefined,
    lease: server.database.lease('projections'),
  });
});
afterEach(async () => {
  await projection.stop();
  await server.close();
  charter.remove();
});

const foundHere = (name: string) => found(server, name);
const caughtUp = async () => projection.whenProcessed(await server.log.head(), { timeout: 10_000 });
const live = async () => (await server.view.live())!.id;

it('the command line reads writes of the server, and the server reads writes of the command line', async () => {
  const theirs = (await charter.json('organization', 'found', '--name', 'Theirs')).answer.id;
  const ours = await foundHere('Ours');
  await caughtUp();
  expect((await server.view.get(organizationStream(theirs)))!.state.name).toBe('Theirs');
  const { answer } = await charter.json('organization', 'list');
  expect(answer.organizations.map(({ name }: { name: string }) => name)).toEqual(['Ours', 'Theirs']);
  expect((await charter.json('organization', 'show', ours)).answer.organization.name).toBe('Ours');

  await charter.json('plan', 'assign', ours, 'second/solo');
  const plans = await server.organizations.query(organizationStream(ours), ({ state }) => state.plans.second.length);
  expect(plans).toBe(1);
});

it('`projections status` prints version, position, lag and parked streams as JSON, and a table with columns', async () => {
  await foundHere('Ours');
  await caughtUp();
  const { answer } = await charter.json('projections', 'status');
  expect(answer).toEqual([
    expect.objectContaining({
      name: 'organizations',
      version: organizationView.version,
      position: await server.log.head(),
      lagEvents: 0,
      lagSeconds: 0,
      parked: [],
    }),
    expect.objectContaining({ name: 'readers', parked: [] }),
  ]);
  const { stdout } = await charter.run(['projections', 'status']);
  expect(stdout).toMatch(new RegExp(`^organizations +${organizationView.version} +live +0 +0 +0$`, 'm'));
});

it('`projections rebuild` works while the server writes, and the server then uses the new edition', async () => {
  for (let number = 0; number < 30; number += 1) await foundHere(`Organization ${number}`);
  await caughtUp();
  const before = await live();

  const rebuilding = charter.json('projections', 'rebuild');
  let during = 0;
  const writing = (async () => {
    for (const begun = Date.now(); Date.now() - begun < 1_500; during += 1) await foundHere(`During ${during}`);
  })();
  const { code, answer } = await rebuilding;
  await writing;
  expect(code).toBe(0);
  expect(answer.edition).toBeGreaterThan(before);
  expect(await live()).toBe(answer.edition);

  const after = await foundHere('After');
  await caughtUp();
  const { answer: status } = await charter.json('projections', 'status');
  expect(status[0]).toMatchObject({ edition: answer.edition, lagEvents: 0 });
  expect((await server.view.get(organizationStream(after)))!.state.name).toBe('After');
  const verified = await charter.json('projections', 'verify');
  expect(verified).toMatchObject({ code: 0, answer: { ok: true, documents: 31 + during } });
  expect(verified.answer.hash).toBe(verified.answer.replayHash);
  const dropped = await charter.json('projections', 'rebuild', '--drop-retired');
  expect(dropped.answer).toMatchObject({ dropped: 2, compared: { differences: 0, equal: 31 + during } });
});

it('`projections verify` finds a document that differs from a replay of its events', async () => {
  const id = await foundHere('Ours');
  await caughtUp();
  const database = new DatabaseSync(charter.documents, { timeout: 1_000 });
  database.exec(`UPDATE documents SET state = replace(state, 'Ours', 'Hers')`);
  database.close();
  const { code, answer } = await charter.json('projections', 'verify');
  expect({ code, answer }).toMatchObject({ code: 1, answer: { ok: false, documents: 1 } });
  expect(answer.hash).not.toBe(answer.replayHash);
  expect(answer.differences).toMatchObject([{ stream: organizationStream(id), revision: 0 }]);
});

it("`projections pause` stops the server's projector, and `projections resume` continues it", async () => {
  await foundHere('First');
  await caughtUp();
  expect(await charter.json('projections', 'pause')).toMatchObject({ code: 0, answer: { paused: true } });
  await eventually(() => projection.now().phase === 'paused');
  const id = await foundHere('Second');
  const { answer } = await charter.json('projections', 'status');
  expect(answer[0]).toMatchObject({ paused: true, lagEvents: 1 });
  expect(await server.view.get(organizationStream(id))).toBeUndefined();
  expect(await charter.json('projections', 'resume')).toMatchObject({ code: 0, answer: { paused: false } });
  await caughtUp();
  expect(await server.view.get(organizationStream(id))).toBeDefined();
});

it('`projections status` lists parked streams, and `projections release` makes the projector retry them', async () => {
  const id = await foundHere('Ours');
  const stream = organizationStream(id);
  const metadata = { command: 'c', at: new Date().toISOString(), hash: '', actor: {} };
  await server.log.append(stream, [{ id: randomUUID(), type: 'NeverHeardOf', data: {}, metadata }], { expected: 0n });
  await eventually(() => projection.now().parked.has(stream));
  const parked = async () => (await charter.json('projections', 'status')).answer[0].parked;
  expect(await parked()).toMatchObject([{ stream, revision: 1, attempts: expect.any(Number) }]);
  expect((await charter.run(['projections', 'status'])).stdout).toContain(stream);
  expect(await charter.json('projections', 'verify')).toMatchObject({ code: 1, answer: { ok: false } });

  // after three attempts, the projector does not retry any more
  await eventually(async () => (await parked())[0].attempts >= 3);
  const { attempts } = (await parked())[0];
  expect(await charter.json('projections', 'release', id)).toMatchObject({ code: 0, answer: { stream } });
  await eventually(async () => (await parked())[0].attempts > attempts);
  expect(await charter.json('projections', 'release', randomUUID())).toMatchObject({
    code: 1,
    answer: { type: '/problems/not-parked' },
  });
});

it('`serve` is refused with one sentence while a server runs', async () => {
  const { code, stderr } = await charter.run(['serve'], { PORT: '0' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^[^\n]*server[^\n]*\n$/);
});

it('`organization list` ends without an error when the reader closes the pipe', async () => {
  for (let number = 0; number < 3; number += 1) await foundHere(`Organization ${number}`);
  await caughtUp();
  const child = charter.start(['organization', 'list']);
  child.stdout!.destroy();
  expect(await ended(child)).toMatchObject({ code: 0, signal: null, stderr: '' });
});

it('a rebuild that gets a signal finishes its current step, then ends, and leaves the read model unchanged', async () => {
  await foundHere('Ours');
  await caughtUp();
  const before = await live();
  await projection.stop();
  const lock = new DatabaseSync(charter.documents);
  lock.exec('BEGIN IMMEDIATE'); // makes the rebuild wait for the lock
  const child = charter.start(['projections', 'rebuild']);
  const end = ended(child);
  await eventually(() => openFiles(child.pid!).some((file) => file === charter.documents));
  child.kill('SIGINT');
  await pause(300);
  expect(child.exitCode ?? child.signalCode).toBeNull(); // the process still runs, because it finishes its work first
  lock.exec('ROLLBACK');
  lock.close();
  expect(await end).toMatchObject({ code: null, signal: 'SIGINT', stdout: '' });
  expect(await live()).toBe(before);
  expect(existsSync(charter.documents)).toBe(true);
});

const openFiles = (pid: number) => {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return []; // the process has already closed this file descriptor
    }
  });
};
