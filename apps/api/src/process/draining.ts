import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Wraps a listener. After a call of `part`, each answer closes its connection, including the answers to requests that
 * are already running.
 */
export function closingListener(listener: RequestListener): Readonly<{ listener: RequestListener; part: () => void }> {
  const underWay = new Set<ServerResponse>();
  let isParting = false;
  const last = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    listener: (request, response) => {
      underWay.add(response);
      response.on('close', () => underWay.delete(response));
      if (isParting) last(response);
      listener(request, response);
    },
    part: () => {
      isParting = true;
      underWay.forEach(last);
    },
  };
}

/**
 * Stops a server: it accepts no new connections, closes idle ones, and waits up to `graceMs` for running requests.
 * After the wait, the server closes all other connections.
 * @param graceMs the maximum wait for running requests, in milliseconds
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const nudge = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, pause(graceMs, undefined, { ref: false })]);
  clearInterval(nudge);
  server.closeAllConnections();
  await closed;
}
