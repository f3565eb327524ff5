import { createServer } from 'node:net';

const [FIRST, LAST] = [20_000, 32_000];

/**
 * Returns a free port of 127.0.0.1 below 32,768. From there the kernel takes the ports of outgoing connections and of
 * `listen(0)`. So no other process gets this port while the spec restarts the server that listens on it.
 */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    if (await isFree(port)) return port;
  }
}

const isFree = (port) =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
