import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { project, type Projection } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { type Charter, createReadsProjector, openCharter } from '@charter/application';
import { parseSettings } from '@charter/settings';
import { CommandLine, found } from './command-line';

/** The tests open the stores as the server does, and run the projector. */
let charter: CommandLine;
let server: Charter;
let projection: Projection;
beforeAll(async () => {
  charter = new CommandLine();
  server = await openCharter(parseSettings({ CHARTER_DATA: charter.data }), 'server');
  const lease = server.database.lease('projections');
  projection = project(server.log, server.view, organizationView, { alarm: () => undefined, lease });
  for (const name of ['Acme', 'Borg', 'Cyberdyne']) await found(server, name);
  await projection.whenProcessed(await server.log.head(), { timeout: 10_000 });
});
afterAll(async () => {
  await projection.stop();
  await server.close();
  charter.remove();
});

it('`projections status` names the projecting process, the end of its lease, and the editions of the read model', async () => {
  const { answer } = await charter.json('projections', 'status');
  expect(answer).toMatchObject([
    {
      phase: 'live',
      part: 1,
      lease: { holder: expect.any(String), until: expect.stringMatching(/Z$/) },
      editions: [{ edition: 1, version: organizationView.version, place: 'live', part: 1 }],
    },
    { name: 'readers' },
  ]);
  const { stdout } = await charter.run(['projections', 'status']);
  expect(stdout).toMatch(/^The process .+ runs the projector\. Its lease lasts until .+Z\.$/m);
  expect(stdout).toMatch(new RegExp(`^ +1 +${organizationView.version} +live +100 %$`, 'm'));
});

it('`projections status` shows how far the projection of readers lags behind the event log', async () => {
  const readers = async () => (await charter.json('projections', 'status')).answer[1];
  expect(await readers()).toMatchObject({ name: 'readers', phase: 'not made yet', position: null, parked: [] });
  await createReadsProjector(server).catchUp();
  const position = await server.log.head();
  expect(await readers()).toMatchObject({ phase: 'live', position, lagEvents: 0, lagSeconds: 0 });
  const { stdout } = await charter.run(['projections', 'status']);
  expect(stdout).toMatch(/^readers +1 +live +0 +0 +0$/m);
});

it('while a rebuild runs in another process, `projections status` shows its progress, and a second rebuild needs `--take-over`', async () => {
  const edition = await server.view.begin();
  await edition.report('2'.padStart(20, '0'));
  const { answer } = await charter.json('projections', 'status');
  expect(answer[0].editions[0]).toMatchObject({ place: 'building', part: 2 / 3 });
  const refused = await charter.json('projections', 'rebuild');
  expect(refused).toMatchObject({ code: 1, answer: { type: '/problems/being-built', status: 409 } });
  expect(refused.answer.detail).toMatch(/--take-over$/);
  const taken = await charter.json('projections', 'rebuild', '--take-over', '--drop-retired');
  expect(taken).toMatchObject({ code: 0, answer: { compared: { equal: 3, differences: 0 } } });
  expect(taken.answer.compared.hash).toBe(taken.answer.compared.liveHash);
});

it('a rebuild whose documents differ from the live documents goes live only with `--accept-differences`', async () => {
  const database = new DatabaseSync(charter.documents, { timeout: 1_000 });
  database.exec(`UPDATE documents SET state = replace(state, 'Borg', 'Bork')`);
  database.close();
  const refused = await charter.json('projections', 'rebuild');
  expect(refused).toMatchObject({
    code: 1,
    answer: { type: '/problems/differing', status: 409, compared: { differences: 1, equal: 2 } },
  });
  const { stdout, code } = await charter.run(['projections', 'rebuild', '--accept-differences']);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('The new edition differs from the previous edition in 1 document, '),
  ]);
  expect((await charter.json('projections', 'verify')).answer).toMatchObject({ ok: true, documents: 3 });
});

it('`projections status --watch` runs until it is interrupted', async () => {
  const child = charter.start(['projections', 'status', '--watch', '--json']);
  let printed = '';
  const end = once(child, 'close');
  child.stdout!.on('data', (chunk) => {
    printed += String(chunk);
    if (printed.split('\n').length > 2) child.kill('SIGINT');
  });
  expect(await end).toEqual([null, 'SIGINT']);
  const lines = printed.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(2);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject([{ name: 'organizations' }, { name: 'readers' }]);
});
