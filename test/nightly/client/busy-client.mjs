// Calls `can()` of a client 100,000 times a second. Usage: node --expose-gc busy-client.mjs URL KEY ORGANIZATION. The
// program reports each change of the freshness. After each message from the spec, it reports the number of calls and
// errors, and the used memory.
import { createCharter } from '../../../dist/client/index.js';

const CALLS_PER_MS = 100;
/** After a pause of the process, the program catches up on at most this number of calls. */
const MISSED_MAX = 20_000;

const [url, key, id] = process.argv.slice(2);
const charter = createCharter({ url, key });
const acme = charter.organization(id);
await acme.ready();
let [calls, errors] = [0, 0];
process.on('unhandledRejection', () => (errors += 1));

let lastCallAt = performance.now();
setInterval(() => {
  const now = performance.now();
  const due = Math.min(Math.round((now - lastCallAt) * CALLS_PER_MS), MISSED_MAX);
  lastCallAt = now;
  calls += due;
  for (let call = 0; call < due; call += 1) {
    try {
      if (!acme.can('feedback')) errors += 1;
    } catch {
      errors += 1;
    }
  }
}, 10);

acme.subscribe(() => process.send({ state: acme.freshness.state }));
process.send({ state: acme.freshness.state });
process.on('message', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ calls, errors, used: heapUsed + external });
});
process.on('disconnect', () => process.exit());
