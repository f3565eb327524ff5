// Sends requests with wrong API keys at a given rate, from a separate thread. When the main thread stops this worker,
// the worker reports how many answers had each HTTP status.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, perSecond } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 50 });
const statuses = new Map();

const begun = performance.now();
let sent = 0;
// Spreads the requests evenly over each second. If all were sent at one moment, the requests of other clients would
// wait behind them.
const sending = setInterval(() => {
  for (; sent < ((performance.now() - begun) / 1_000) * perSecond; sent += 1) {
    const authorization = `Bearer chk_${randomBytes(6).toString('hex')}_${'A'.repeat(43)}`;
    const outgoing = request(`${url}/api/v1/organizations`, { headers: { authorization }, agent }, (response) => {
      response.resume();
      response.on('end', () => statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1));
    });
    outgoing.on('error', () => undefined); // the worker cuts its connections at the end
    outgoing.end();
  }
}, 1);

parentPort.once('message', () => {
  clearInterval(sending);
  setTimeout(() => parentPort.postMessage(statuses), 500);
});
