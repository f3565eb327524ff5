import { duration } from './measure.mjs';
import { lib, opened } from './product.mjs';

/** Lets a server store the states of a history, as it does after a long read. */
export async function statesStored(path, stream) {
  const server = await opened(path);
  await (await lib('application').createStateReader(server).prepare(stream, {})).read();
  await server.storedSnapshots.settled();
  await server.close();
}

/**
 * Measures a query of past entitlements, as a route does it. Opens the stores anew, so that only the database contains
 * stored states.
 */
export async function fromStoredStates(path, id, range) {
  const { entitlements } = lib('organization-view');
  const charter = await opened(path, 'beside');
  const took = await duration(async () => {
    const stream = lib('organization').organizationStream(id);
    const { read } = await lib('application').createStateReader(charter).prepare(stream, range);
    const past = await read();
    JSON.stringify(entitlements(id)(past, past.at));
  });
  await charter.close();
  return took;
}
