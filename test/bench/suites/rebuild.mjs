import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { atLeast, median, perSecond, rounds, row } from '../measure.mjs';
import { lib, opened } from '../product.mjs';
import { founded } from '../stores.mjs';

/**
 * Measures a rebuild of the read model from the whole log. For comparison, the floor (`docs/reference/performance.md`)
 * only reads, parses and folds the same rows.
 */
export async function rebuilds({ folder, rounds: count, scale }) {
  const small = await overStore(folder, 100);
  const large = await overStore(folder, 1_000);
  const huge = scale ? await overStore(folder, 10_000) : undefined;
  for (const warm of [small.fold, small.build]) await warm();
  const { floor, values } = await rounds(count, { floor: large.fold, values: large.build });
  const others = await rounds(Math.min(count, 3), { small: small.build, ...(huge && { huge: huge.build }) });
  for (const each of [small, large, huge]) await each?.close();
  return [
    row({ name: 'rebuild, 10,000 events', unit: '/s', values: others.small }),
    row({
      name: 'rebuild, 100,000 events',
      unit: '/s',
      values,
      floor,
      target: { ratio: atLeast(0.6) },
      ...(huge && { grows: { '×10': median(others.huge) } }),
    }),
  ];
}

/** Measures rebuilds of a store with this number of organizations, with a hundred events each. */
async function overStore(folder, organizations) {
  const store = await founded(folder, `rebuild-${organizations}`, { organizations, members: 20, events: 100 });
  const charter = await opened(store.path, 'beside');
  const { organizationView } = lib('organization-view');
  let times = 0;
  const build = async () => {
    const file = join(store.path, `documents-${(times += 1)}.db`);
    const documents = await lib('database').openDatabase({ file });
    const rate = await perSecond(organizations * 100, () =>
      lib('projections').rebuild(charter.log, documents.view(organizationView), organizationView),
    );
    await documents.close();
    return rate;
  };
  const fold = () => perSecond(organizations * 100, () => bareFold(join(store.path, 'events.db'), organizationView));
  return { build, fold, close: charter.close };
}

/** Reads, parses and folds every event of a file, and writes nothing. Returns the states by stream. */
export function bareFold(file, { initial, evolve }) {
  const db = new DatabaseSync(file, { readOnly: true });
  const all = db.prepare('SELECT stream, revision, type, CAST(data AS TEXT), CAST(metadata AS TEXT) FROM events');
  all.setReturnArrays(true);
  const states = new Map();
  for (const [stream, event, type, data, metadata] of all.iterate()) {
    const { at } = JSON.parse(metadata);
    states.set(stream, evolve(states.get(stream) ?? initial(), { type, data: JSON.parse(data) }, { event, at }));
  }
  db.close();
  return states;
}
