// A program that asks a client 100,000 times a second: node --expose-gc asking.mjs URL KEY ORGANIZATION. It sends each
// change of the freshness. After each message it sends the number of calls and errors, and the used memory.
import { createCharter } from '../../../dist/client/index.js';

const CALLS_PER_MS = 100;
/** After a pause of the process, the program makes up for at most this number of calls. */
const MISSED_MAX = 20_000;

const [url, key, id] = process.argv.slice(2);
const charter = createCharter({ url, key });
const acme = charter.organization(id);
await acme.ready();
let [calls, errors] = [0, 0];
process.on('unhandledRejection', () => (errors += 1));

let asked = performance.now();
setInterval(() => {
  const now = performance.now();
  const due = Math.min(Math.round((now - asked) * CALLS_PER_MS), MISSED_MAX);
  asked = now;
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
