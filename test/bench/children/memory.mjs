// How much the remembered organizations of a store weigh: node --expose-gc memory.mjs, one store for each message.
import { lib, opened } from '../product.mjs';

process.on('message', async ({ folder, ids }) => {
  const { organizationStream } = lib('organization');
  const charter = await opened(folder);
  const look = (id) => charter.organizations.query(organizationStream(id), ({ revision }) => revision);
  await look(ids[0]); // what is loaded once is no organization's
  const before = weight();
  for (const id of ids.slice(1)) await look(id);
  const after = weight();
  await charter.close();
  process.send(after - before);
});
process.on('disconnect', () => process.exit(0));

/** Bytes in use that something still holds. */
function weight() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
