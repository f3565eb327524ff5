import { createServer } from 'node:net';

const [FIRST, LAST] = [20_000, 32_000];

/**
 * Returns a free port of 127.0.0.1 below 32,000. For outgoing connections and for `listen(0)`, the kernel uses only
 * ports from 32,768 upwards. So the kernel gives this port to no other process while a spec restarts its server.
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
