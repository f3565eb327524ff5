// Pipelines requests from a separate thread. The thread sends a batch of requests on each connection. The next batch
// follows when the server has answered all requests or closed the connection.
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, connections, depth, request } = workerData;
const batch = request.repeat(depth);
const START = 'HTTP/1.1 ';
let stopped = false;
const sockets = new Set();

function open() {
  if (stopped) return;
  const socket = connect(port, '127.0.0.1', () => socket.write(batch));
  let [rest, answered] = ['', 0];
  sockets.add(socket);
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1');
    const parts = text.split(START);
    rest = text.slice(-(START.length - 1));
    const statuses = parts.slice(1).map((part) => part.slice(0, 3));
    answered += statuses.length;
    if (statuses.length > 0) parentPort.postMessage(statuses.length);
    if (answered < depth) return;
    answered -= depth;
    if (stopped) socket.destroy();
    else socket.write(batch);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    sockets.delete(socket);
    open();
  });
}
for (let index = 0; index < connections; index += 1) open();

parentPort.once('message', () => {
  stopped = true;
  for (const socket of sockets) socket.destroy();
  parentPort.postMessage('stopped');
  parentPort.close();
});
