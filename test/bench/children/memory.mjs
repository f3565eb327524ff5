// Measures the memory that the cached organizations of a store need: node --expose-gc memory.mjs. Each message from the
// bench names the folder of one store.
import { lib, opened } from '../product.mjs';

process.on('message', async ({ folder, ids }) => {
  const { organizationStream } = lib('organization');
  const charter = await opened(folder);
  const query = (id) => charter.organizations.query(organizationStream(id), ({ revision }) => revision);
  await query(ids[0]); // the first query also loads code and data that all organizations share
  const before = weight();
  for (const id of ids.slice(1)) await query(id);
  const after = weight();
  await charter.close();
  process.send(after - before);
});
process.on('disconnect', () => process.exit(0));

/** The bytes of all reachable objects, after a garbage collection. */
function weight() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
