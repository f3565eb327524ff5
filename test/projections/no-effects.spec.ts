import { rebuild, verifyView } from '@charter/projections';
import { organizationStream } from '@charter/organization';
import { organizationView } from '@charter/organization-view';
import { founded, path } from '../support/requests/organizations';
import { eventsOf, everyEventIn, newFolder, type Served, serving, settled, until } from '../support/serving';
import { onTables } from '../support/stores/tables';

const allMails = async ({ charter }: Served) => (await charter.database.mails.list({ limit: 100 })).length;

it('I5, O13: A verification, a rebuild and a repeated projection write no event, send no mail and change no document', async () => {
  const folder = newFolder();
  let served = await serving({ folder });
  const { clock } = served;
  const key = await served.key();
  const id = await founded(served, { by: key });
  const ends = new Date(clock.now() + 60_000).toISOString();
  const ask = (method: string, rest: string, body: object) => served.ask(method, path(id, rest), { key, body });
  expect((await ask('POST', '/members', { email: 'ada@people.example', role: 'member' })).status).toBe(201);
  expect((await ask('PUT', '/limits/override', { reason: 'a favour', until: ends })).status).toBe(200);
  clock.advance(61_000); // within this time, the projecting process records the end of the override
  const facts = async () => (await eventsOf(served, organizationStream(id))).map(({ type }) => type);
  await until(async () => (await facts()).includes('HardLimitsRestored'));
  await settled(served);

  const { log, view } = served.charter;
  const before = { events: await everyEventIn(served), mails: await allMails(served) };
  const { hash, ok } = await verifyView(log, (await view.live())!, organizationView);
  expect([before.mails, ok]).toEqual([1, true]);

  await rebuild(log, view, organizationView);
  await settled(served);
  expect((await verifyView(log, (await view.live())!, organizationView)).hash).toBe(hash);
  expect({ events: await everyEventIn(served), mails: await allMails(served) }).toEqual(before);

  // The spec deletes the read model, so the projector reads the log from its start. At the same time the process looks
  // for overrides that have ended.
  await served.stop();
  await onTables(served, `update editions set ended = 'abandoned'`);
  await onTables(served, 'update views set live = null');
  served = await serving({ folder, clock });
  await until(() => served.runtime.projection.now().caughtUp, 10_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await settled(served);
  expect((await verifyView(served.charter.log, (await served.charter.view.live())!, organizationView)).hash).toBe(hash);
  expect({ events: await everyEventIn(served), mails: await allMails(served) }).toEqual(before);
  await served.close();
}, 60_000);
