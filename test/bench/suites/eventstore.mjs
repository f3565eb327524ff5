import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { client } from '../load.mjs';
import { atLeast, perSecond, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { eventServer, onServers } from '../servers.mjs';
import { inOpen, keyIn } from '../stores.mjs';
import { callersText } from './log.mjs';
import { adding } from './members.mjs';

const { EventStoreDBClient, jsonEvent } = createRequire(import.meta.url)('@eventstore/db-client');
export { EventStoreDBClient };

const CALLERS = [1, 8, 64];
const SECONDS = 1;
const ORGANIZATIONS = 100;
const EVENTS = 100;

/**
 * Measures appends, rebuilds and additions of members over EventStoreDB, compared with the client of EventStoreDB
 * alone. Charter and this client use the server at `EVENTSTORE_URL`, or else the façade, a stand-in for EventStoreDB.
 * Figures over the façade show only the cost of Charter's adapter, not the cost of a server.
 */
export async function eventStore({ folder, rounds: count }) {
  const server = await eventServer(folder);
  const place = join(folder, 'eventstore');
  mkdirSync(place);
  const settings = onServers(server);
  const charter = await opened(place, 'server', settings);
  const organizations = await inOpen(charter, { organizations: ORGANIZATIONS, members: 20, events: EVENTS, atOnce: 4 });
  const bare = EventStoreDBClient.connectionString(server.url);
  // measures the rebuild first, while the log has few other events
  const rebuild = await rebuilt(charter, bare, place, count, server.label);
  const rows = [...(await appends(charter.log, bare, count, server.label)), rebuild];
  await charter.close();
  rows.push(...(await members(place, settings, organizations, bare, count, server.label)));
  await bare.dispose();
  await server.stop();
  return rows;
}

async function appends(log, bare, count, label) {
  const append = async (stream, expected) => (await log.append(stream, [event()], { expected })).revision;
  const measures = Object.fromEntries(
    CALLERS.flatMap((callers) => [
      [`bare${callers}`, () => appendsASecond((stream, expected) => bareAppend(bare, stream, expected), callers)],
      [`ours${callers}`, () => appendsASecond(append, callers)],
    ]),
  );
  await appendsASecond(append, 8); // warms up before the measurement
  const figures = await rounds(count, measures);
  return CALLERS.map((callers) =>
    row({
      name: `${label}: append, ${callersText(callers)}`,
      unit: '/s',
      values: figures[`ours${callers}`],
      floor: figures[`bare${callers}`],
      target: { ratio: atLeast(0.7) },
    }),
  );
}

/**
 * Measures durable `POST …/members` requests, compared with as many concurrent appends of EventStoreDB's client alone.
 */
async function members(place, settings, organizations, bare, count, label) {
  const service = await served(place, settings);
  const load = client();
  const add = adding(load, service.port, await keyIn(place));
  for (const id of organizations) await add.sample(id); // the service then has every organization in memory
  const figures = await rounds(count, {
    floor: () => appendsASecond((stream, expected) => bareAppend(bare, stream, expected), 64),
    values: async () => (await add.to(organizations, 64)).rate,
  });
  load.stop();
  await service.stop();
  const name = `${label}: add member, ${ORGANIZATIONS} organizations, ${callersText(64)}`;
  return [row({ name, unit: '/s', ...figures, target: { ratio: atLeast(0.7) } })];
}

/**
 * Measures a rebuild of the read model. For comparison, a catch-up subscription of EventStoreDB's client ignores the
 * same events. Both read all events of organizations, also older events of the server.
 */
async function rebuilt(charter, bare, place, count, label) {
  const { organizationView } = lib('organization-view');
  let times = 0;
  const rebuildOnce = async () => {
    const documents = await lib('database').openDatabase({ file: join(place, `rebuilt-${(times += 1)}.db`) });
    const begun = performance.now();
    const { events } = await lib('projections').rebuild(
      charter.log,
      documents.view(organizationView),
      organizationView,
    );
    const rate = (events * 1000) / (performance.now() - begun);
    await documents.close();
    return { events, rate };
  };
  const { events: all } = await rebuildOnce(); // warms up before the measurement
  const floor = () => perSecond(all, () => caughtUp(bare, all));
  const values = async () => (await rebuildOnce()).rate;
  const figures = await rounds(count, { floor, values });
  const name = `${label}: rebuild, ${all.toLocaleString('en')} events`;
  return row({ name, unit: '/s', ...figures, target: { ratio: atLeast(0.8) } });
}

async function caughtUp(bare, all) {
  const prefixes = [lib('organization').organizationStreamPrefix];
  const filter = { filterOn: 'streamName', prefixes, checkpointInterval: 1 };
  const subscription = bare.subscribeToAll({ filter });
  let seen = 0;
  await new Promise((resolve, reject) => {
    subscription.on('error', reject).on('data', () => {
      seen += 1;
      if (seen === all) resolve();
    });
  });
  await subscription.unsubscribe();
}

export async function appendsASecond(append, callers) {
  const begun = performance.now();
  let done = 0;
  const caller = async () => {
    const stream = `bench-${randomUUID()}`;
    for (let expected = 'no_stream'; performance.now() < begun + SECONDS * 1000; done += 1)
      expected = await append(stream, expected);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - begun);
}

/**
 * Appends with EventStoreDB's client alone. The credentials make the client send a separate call with a deadline, as
 * Charter's adapter does.
 */
export async function bareAppend(bare, stream, expectedRevision) {
  const credentials = { username: 'bench', password: 'bench' };
  const options = { expectedRevision, credentials };
  return (await bare.appendToStream(stream, jsonEvent(event()), options)).nextExpectedRevision;
}

/** An event about as large as a `MemberAdded`. */
const event = () => ({
  id: randomUUID(),
  type: 'MemberAdded',
  data: { member: randomUUID(), role: 'member' },
  metadata: { filled: 'x'.repeat(480) },
});
