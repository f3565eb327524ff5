// Sends requests from a separate thread and measures them there, so that work of the service after an answer does not
// count.
import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

parentPort.on('message', ({ url, method, headers, body }) => {
  const began = performance.now();
  const outgoing = request(url, { method, headers, agent }, (response) => {
    response.resume();
    response.on('end', () => parentPort.postMessage({ ms: performance.now() - began, status: response.statusCode }));
  });
  outgoing.on('error', (error) => parentPort.postMessage({ ms: NaN, status: 0, error: String(error) }));
  outgoing.end(body);
});
