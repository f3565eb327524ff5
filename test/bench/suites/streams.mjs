import { duration, atMost, median, rounds, row } from '../measure.mjs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lib, opened } from '../product.mjs';
import { fromStoredStates, statesStored } from '../stored-states.mjs';
import { byBench, founded } from '../stores.mjs';

const MEMBERS = 4;
const LENGTHS = [10, 1_000, 10_000];
const COMMANDS = 100;

/** Measures commands, and queries of past states, on streams of different lengths whose states have the same size. */
export async function streams({ folder, rounds: count }) {
  const stores = [];
  for (const events of LENGTHS)
    stores.push(await founded(folder, `stream-${events}`, { organizations: 1, members: MEMBERS, events }));
  const open = await Promise.all(stores.map(({ path }) => opened(path)));
  const places = open.map((charter, at) => ({ charter, path: stores[at].path, id: stores[at].ids[0] }));
  const rows = [...(await commandRows(places, count)), ...(await pastRows(places, count))];
  for (const charter of open) await charter.close();
  return [...rows, await storedRow(places.at(-1), count)];
}

async function commandRows(places, count) {
  const measures = Object.fromEntries(places.map((place, at) => [LENGTHS[at], () => oneCommand(place)]));
  for (const measure of Object.values(measures)) for (let time = 0; time < 50; time += 1) await measure();
  // each round has one command on each stream, so that a slow moment of the disk affects all streams alike
  const each = await rounds(count * COMMANDS, measures);
  const figures = Object.fromEntries(LENGTHS.map((events) => [events, inRounds(each[events], count)]));
  const [shortest] = LENGTHS;
  return LENGTHS.map((events) =>
    row({
      name: `command on a stream of ${events.toLocaleString('en')} events`,
      unit: 'ms',
      values: figures[events],
      ...(events > shortest && { floor: figures[shortest], target: { ratio: atMost(1.2) } }),
    }),
  );
}

const inRounds = (figures, count) =>
  Array.from({ length: count }, (_, round) => median(figures.slice(round * COMMANDS, (round + 1) * COMMANDS)));

let names = 0;
const oneCommand = ({ charter, id }) =>
  duration(async () => {
    const command = { type: 'RenameOrganization', data: { name: `Name ${(names += 1)}` } };
    await charter.organizations.execute(lib('organization').organizationStream(id), command, byBench());
  });

async function pastRows(places, count) {
  const [ten, thousand, most] = places.map((place, at) => pastOf(place, LENGTHS[at]));
  const { floor, small, medium, large } = await rounds(count + 1, {
    floor: most.parse,
    large: most.ask,
    medium: thousand.ask,
    small: ten.ask,
  }).then((figures) => Object.fromEntries(Object.entries(figures).map(([name, [, ...warm]]) => [name, warm])));
  most.close();
  for (const { close } of [ten, thousand]) close();
  return [
    row({ name: 'asOf, 10 events', unit: 'ms', values: small }),
    row({ name: 'asOf, 1,000 events', unit: 'ms', values: medium }),
    row({ name: 'asOf, 10,000 events, from the first event', unit: 'ms', values: large, floor }),
  ];
}

/**
 * Measures the query of a past state as the routes do it: with the states that a server has stored after its first read
 * of the history.
 */
async function storedRow(place, count) {
  const most = LENGTHS.at(-1);
  await statesStored(place.path, lib('organization').organizationStream(place.id));
  const { parse, close } = pastOf(place, most);
  const { floor, values } = await rounds(count + 1, {
    floor: parse,
    values: () => fromStoredStates(place.path, place.id, { until: { revision: most - 2 } }),
  });
  close();
  return row({
    name: `asOf, ${most.toLocaleString('en')} events, from stored states`,
    unit: 'ms',
    values: values.slice(1),
    floor: floor.slice(1),
    target: { ratio: atMost(1.5) },
  });
}

/**
 * Measures a query of the entitlements as of the last event of a stream. For comparison, the floor reads and parses the
 * rows of the stream without Charter's code.
 */
function pastOf({ charter, path, id }, length) {
  const { entitlements } = lib('organization-view');
  const stream = lib('organization').organizationStream(id);
  const db = new DatabaseSync(join(path, 'events.db'), { readOnly: true });
  const all = db.prepare(
    `SELECT revision, type, CAST(data AS TEXT), CAST(metadata AS TEXT) FROM events
     WHERE stream = (SELECT id FROM streams WHERE name = ?) AND revision < ? ORDER BY revision`,
  );
  all.setReturnArrays(true);
  return {
    close: () => db.close(),
    ask: () =>
      duration(async () => {
        const past = await charter.organizations.stateAt(stream, { revision: length - 1 });
        JSON.stringify(entitlements(id)(past, past.at));
      }),
    parse: () =>
      duration(() => {
        const rows = all.all(stream, length);
        if (rows.length !== length) throw new Error(`${rows.length} rows were read instead of ${length}.`);
        for (const [, , data, metadata] of rows) [JSON.parse(data), JSON.parse(metadata)];
      }),
  };
}
