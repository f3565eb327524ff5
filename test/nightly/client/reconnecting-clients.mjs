// Runs many clients with the same key in one process. Usage: node reconnecting-clients.mjs URL KEY COUNT
// ORGANIZATION... After each message from the spec, the program reports the number of fresh clients. It also reports
// the number of answers with each status since the last message.
import { createCharter } from '../../../dist/client/index.js';

const [url, key, count, ...ids] = process.argv.slice(2);
let statuses = {};
const counting = async (...request) => {
  const answer = await fetch(...request);
  statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  return answer;
};
const organizations = Array.from({ length: Number(count) }, (_, index) =>
  createCharter({ url, key, fetch: counting }).organization(ids[index % ids.length]),
);
process.on('message', () => {
  process.send({ fresh: organizations.filter(({ freshness }) => freshness.state === 'fresh').length, statuses });
  statuses = {};
});
process.on('disconnect', () => process.exit());
process.send('ready');
