import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Wraps a listener that answers one request of a connection at a time. After a call of `part`, each answer closes its
 * connection, including the answers to requests that are already running.
 */
export function closingListener(listener: RequestListener): Readonly<{ listener: RequestListener; part: () => void }> {
  /**
   * The newest response of each open connection. A set of running responses would change with each request. V8 would
   * then often replace the table inside the set. The replaced tables refer to responses that have ended, so minor
   * garbage collections would keep these responses.
   */
  const newest = new Map<Socket, ServerResponse>();
  let isParting = false;
  const last = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    listener: (request, response) => {
      const { socket } = request;
      if (!newest.has(socket)) socket.once('close', () => newest.delete(socket));
      newest.set(socket, response);
      if (isParting) last(response);
      listener(request, response);
    },
    part: () => {
      isParting = true;
      newest.forEach(last);
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
