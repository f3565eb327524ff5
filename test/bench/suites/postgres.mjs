import { join } from 'node:path';
import { bareHttp, client, sampled } from '../load.mjs';
import { atLeast, perSecond, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { eventServer, onServers, postgres } from '../servers.mjs';
import { founded, inOpen, keyAmong } from '../stores.mjs';
import { appendsASecond, bareAppend, EventStoreDBClient } from './eventstore.mjs';
import { callersText } from './log.mjs';
import { adding } from './members.mjs';
import { bareFold } from './rebuild.mjs';
import { cookieOf, settled } from './sign-in.mjs';

const ORGANIZATIONS = 1_000;
const EVENTS = 100;
const CALLERS = 64;
/** The number of documents that the floor, the program to compare with, writes in one statement. */
const BATCH = 1_000;

/**
 * Measures Charter with its tables in a real PostgreSQL. With the embedded log, it measures rebuilds, and requests that
 * read the tables. With all stores on servers, it measures additions of members.
 */
export async function onPostgres({ folder, rounds: count }) {
  const server = await postgres();
  const store = await founded(folder, 'postgres', { organizations: ORGANIZATIONS, members: 20, events: EVENTS });
  const rows = [
    await rebuilt(store.path, server, count),
    ...(await questions(store, server, count)),
    await additions(folder, server, count),
  ];
  await server.stop();
  return rows;
}

/** The settings of a process with its tables in PostgreSQL and an embedded event log. */
const besidesLog = (server) => {
  const { SESSION_SECRET, CHECKPOINT_KEY } = onServers({ url: '' });
  return { DOCUMENTS: server.url, SESSION_SECRET, CHECKPOINT_KEY };
};

/**
 * Measures a rebuild of the read model. For comparison, the floor only folds the same events and writes the documents
 * with `unnest`.
 */
async function rebuilt(path, server, count) {
  const { organizationView } = lib('organization-view');
  const charter = await opened(path, 'beside', besidesLog(server));
  const all = ORGANIZATIONS * EVENTS;
  const values = () => perSecond(all, () => lib('projections').rebuild(charter.log, charter.view, organizationView));
  const bare = await server.client();
  const floor = () => perSecond(all, () => written(bare, bareFold(join(path, 'events.db'), organizationView)));
  for (const warm of [values, floor]) await warm();
  const figures = await rounds(count, { floor, values });
  await bare.end();
  await charter.close();
  const name = `${server.label}: rebuild, ${all.toLocaleString('en')} events, compared with the live edition`;
  return row({ name, unit: '/s', ...figures, target: { ratio: atLeast(0.5) } });
}

async function written(bare, states) {
  await bare.query('begin');
  await bare.query('create temp table floor (stream text primary key, state text) on commit drop');
  const all = [...states].map(([stream, state]) => [String(stream), JSON.stringify(state)]);
  for (let from = 0; from < all.length; from += BATCH) {
    const some = all.slice(from, from + BATCH);
    await bare.query('insert into floor select * from unnest($1::text[], $2::text[])', [
      some.map(([stream]) => stream),
      some.map(([, state]) => state),
    ]);
  }
  await bare.query('commit');
}

/** Measures requests that read the tables of API keys, sessions and documents. */
async function questions({ path, ids }, server, count) {
  const settings = besidesLog(server);
  const [person] = await settled(path, ids[0], settings);
  const charter = await opened(path, 'beside', settings);
  const key = { Authorization: `Bearer ${await keyAmong(charter.database)}` };
  await charter.close();
  const service = await served(path, settings);
  const origin = `http://127.0.0.1:${service.port}`;
  const cookie = { Cookie: await cookieOf(origin, person) };
  const load = client();
  const queries = {
    'entitlement check with a key': { headers: key, of: ids, rest: '/entitlements/users', target: 0.6 },
    'the whole document': { headers: key, of: ids, rest: '' },
    'session check: entitlement': { headers: cookie, of: [ids[0]], rest: '/entitlements/users', target: 0.5 },
  };
  const rows = [];
  for (const [name, { headers, of, rest, target }] of Object.entries(queries)) {
    const paths = of.map((id) => `/api/v1/organizations/${id}${rest}`);
    const bare = await bareHttp(await sampled(`${origin}${paths[0]}`, { headers }));
    const rate = (port) => async () =>
      (await load.load({ method: 'GET', port, callers: CALLERS, paths, headers, expected: 200 })).rate;
    await rate(service.port)();
    const figures = await rounds(count, { floor: rate(bare.port), values: rate(service.port) });
    await bare.stop();
    rows.push(
      row({
        name: `${server.label}: ${name}`,
        unit: '/s',
        ...figures,
        ...(target && { target: { ratio: atLeast(target) } }),
      }),
    );
  }
  load.stop();
  await service.stop();
  return rows;
}

/**
 * Measures `POST …/members` with both stores on servers, compared with as many concurrent appends of EventStoreDB's
 * client alone.
 */
async function additions(folder, documents, count) {
  const events = await eventServer(join(folder, 'postgres-events'));
  const place = join(folder, 'postgres-servers');
  const another = await postgres(); // this read model belongs to another log, so it needs other tables
  const settings = onServers(events, another);
  const charter = await opened(place, 'server', settings);
  const organizations = await inOpen(charter, { organizations: 100, members: 20 });
  await lib('projections').rebuild(charter.log, charter.view, lib('organization-view').organizationView);
  const key = await keyAmong(charter.database);
  await charter.close();
  const service = await served(place, settings);
  const load = client();
  const add = adding(load, service.port, key);
  const bare = EventStoreDBClient.connectionString(events.url);
  for (const id of organizations) await add.sample(id); // the service then has every organization in memory
  const figures = await rounds(count, {
    floor: () => appendsASecond((stream, expected) => bareAppend(bare, stream, expected), CALLERS),
    values: async () => (await add.to(organizations, CALLERS)).rate,
  });
  load.stop();
  await service.stop();
  await bare.dispose();
  await another.stop();
  await events.stop();
  const name = `${events.label} + ${documents.label}: add member, 100 organizations, ${callersText(CALLERS)}`;
  return row({ name, unit: '/s', ...figures, target: { ratio: atLeast(0.7) } });
}
