// Asks in a thread of its own, and measures there: what the service goes on with after an answer is not part of its time.
import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

parentPort.on('message', ({ url, method, headers, body }) => {
  const began = performance.now();
  const asked = request(url, { method, headers, agent }, (response) => {
    response.resume();
    response.on('end', () => parentPort.postMessage({ ms: performance.now() - began, status: response.statusCode }));
  });
  asked.on('error', (error) => parentPort.postMessage({ ms: NaN, status: 0, error: String(error) }));
  asked.end(body);
});
