import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { watching } from '../lag.mjs';
import { bareCommits, client, sampled } from '../load.mjs';
import { atLeast, atMost, median, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { founded, inOpen, keyIn } from '../stores.mjs';
import { callersText } from './log.mjs';

const MEMBERS = 20;
const FEW = 1;
const MANY = 64;

/** Measures durable `POST …/members` requests to one organization and to a thousand, and the lag of the read model. */
export async function members({ folder, rounds: count, scale }) {
  const place = await prepared(folder, count, scale);
  const service = await served(place.path);
  const load = client();
  const add = adding(load, service.port, place.key);
  const answer = await add.sample(place.thousand[0]);
  const floor = await bareCommits({
    file: join(folder, 'floor.db'),
    rowBytes: sizeOfLastEvent(place.path),
    answer,
  });
  const bare = (callers) => async () =>
    (await load.load({ ...add.wish(place.thousand), port: floor.port, callers })).rate;
  const one = (callers, size) => async (round) => {
    const id = place.singles[size][callers][round];
    const { rate, all } = await add.to([id], callers);
    await add.check(id, size + all);
    return rate;
  };
  const many = (ids, callers) => async () => (await add.to(ids, callers)).rate;

  for (const ids of [place.thousand, [place.warm]]) await add.to(ids, MANY, 2);
  const figures = await rounds(count, {
    bare1: bare(FEW),
    bare64: bare(MANY),
    one1: one(FEW, MEMBERS),
    one64: one(MANY, MEMBERS),
    many1: many(place.thousand, FEW),
    many64: many(place.thousand, MANY),
  });
  const grown = await rounds(Math.min(count, 3), {
    one10: one(MANY, 10 * MEMBERS),
    one100: one(MANY, 100 * MEMBERS),
    many10: many(place.tenThousand, MANY),
    ...(scale && { many100: many(place.hundredThousand, MANY) }),
  });
  const lags = await lagRounds(add, place, median(figures.many64) / 2, count);
  load.stop();
  await floor.stop();
  await service.stop();
  return rowsOf(figures, grown, lags);
}

function rowsOf(figures, grown, lags) {
  const line = (name, callers, of, target, grows = {}) =>
    row({
      name: `add member, ${name}, ${callersText(callers)}`,
      unit: '/s',
      values: figures[of],
      floor: figures[`bare${callers}`],
      target,
      grows,
    });
  const growth = (ten, hundred) => ({
    '×10': median(grown[ten]),
    ...(grown[hundred] && { '×100': median(grown[hundred]) }),
  });
  return [
    line('1 organization', FEW, 'one1', {}),
    line('1 organization', MANY, 'one64', { value: atLeast(2_000) }, growth('one10', 'one100')),
    line('1,000 organizations', FEW, 'many1', {}),
    line(
      '1,000 organizations',
      MANY,
      'many64',
      { ratio: atLeast(0.5), value: atLeast(4_000) },
      growth('many10', 'many100'),
    ),
    row({ name: 'projection lag at half of full load, p50', unit: 'ms', values: lags.map(({ p50 }) => p50) }),
    row({
      name: 'projection lag at half of full load, p99',
      unit: 'ms',
      values: lags.map(({ p99 }) => p99),
      target: { value: atMost(100) },
    }),
  ];
}

/**
 * One store for all rounds. The store has a thousand organizations, and one organization for each round that adds
 * members to only one. It also has organizations for the figures about growth.
 */
async function prepared(folder, count, scale) {
  const { path, ids: thousand } = await founded(folder, 'members', { organizations: 1_000, members: MEMBERS });
  const charter = await opened(path);
  const more = (organizations, members) => inOpen(charter, { organizations, members });
  const singles = {};
  for (const size of [MEMBERS, 10 * MEMBERS, 100 * MEMBERS])
    singles[size] = { [FEW]: await more(count, size), [MANY]: await more(count, size) };
  const tenThousand = await more(10_000, 1);
  const hundredThousand = scale ? await more(100_000, 1) : [];
  const [warm] = await more(1, MEMBERS);
  await lib('projections').rebuild(charter.log, charter.view, lib('organization-view').organizationView);
  await charter.close();
  return { path, thousand, tenThousand, hundredThousand, singles, warm, key: await keyIn(path) };
}

/** `add` measures requests that add members. `check` proves that the service added every member. */
export function adding({ load }, port, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const pathOf = (id) => `/api/v1/organizations/${id}`;
  const wish = (ids) => ({
    method: 'POST',
    paths: ids.map((id) => `${pathOf(id)}/members`),
    headers,
    body: 'member',
    expected: 201,
  });
  return {
    wish,
    to: (ids, callers, seconds = 1, rate = undefined) => load({ ...wish(ids), port, callers, seconds, rate }),
    sample: (id) =>
      sampled(`http://127.0.0.1:${port}${pathOf(id)}/members`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ user: randomUUID(), role: 'member' }),
      }),
    /** @throws unless the organization has exactly this number of members */
    check: async (id, expected) => {
      const { body } = await sampled(`http://127.0.0.1:${port}${pathOf(id)}`, { headers });
      const { length } = JSON.parse(body).members;
      if (length !== expected) throw new Error(`${expected} members were acknowledged, and ${length} are there.`);
    },
  };
}

/**
 * The number of bytes of the newest event's data and metadata. The floor, the program to compare with, stores rows of
 * the same size.
 */
function sizeOfLastEvent(path) {
  const db = new DatabaseSync(join(path, 'events.db'), { readOnly: true });
  const { bytes } = db
    .prepare('SELECT length(data) + length(metadata) AS bytes FROM events ORDER BY position DESC LIMIT 1')
    .get();
  db.close();
  return bytes;
}

/**
 * For each round, p50 and p99 of the lag in milliseconds: from the commit of an event to the commit of its document.
 */
async function lagRounds(add, { path, thousand }, rate, count) {
  const watch = watching(path);
  const lags = [];
  for (let round = 0; round < count; round += 1) lags.push(await watch.during(() => add.to(thousand, MANY, 2, rate)));
  watch.close();
  return lags;
}
