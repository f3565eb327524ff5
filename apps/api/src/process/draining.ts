import type { RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A listener that can say its good-byes: each answer from then on, those under way included, ends its connection. */
export function closingListener(listener: RequestListener): Readonly<{ listener: RequestListener; part: () => void }> {
  const underWay = new Set<ServerResponse>();
  let isParting = false;
  const last = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  return {
    listener: (request, response) => {
      underWay.add(response);
      response.once('close', () => underWay.delete(response));
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
 * No new connections; those under way finish, idle ones are cut, and after a while all of them.
 * @param patienceMs how long requests under way may take
 */
export async function drain(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const nudge = setInterval(() => server.closeIdleConnections(), 50);
  await Promise.race([closed, pause(patienceMs, undefined, { ref: false })]);
  clearInterval(nudge);
  server.closeAllConnections();
  await closed;
}
