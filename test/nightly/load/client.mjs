// Sends requests from a thread of its own and measures there, so that the service's work after an answer is not
// measured.
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
