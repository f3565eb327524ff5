import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum number of requests of a connection that wait for the answer to an earlier request. */
const WAITING_MAX = 64;

type Exchange = Readonly<{ request: IncomingMessage; response: ServerResponse }>;

/**
 * Answers the pipelined requests of a connection one after the other. Node starts all pipelined requests at once, so a
 * few connections could use all slots of the process. When a connection is cut, Node closes only the response that Node
 * is sending; the other requests of the connection would never end. If too many requests wait, this listener closes the
 * connection. The listener does not use the event log's `concurrencyLimit`, because each connection has its own short
 * queue.
 */
export function oneAtATime(listener: RequestListener, countClosed: () => void): RequestListener {
  /** The waiting requests of each connection that has a running request. */
  const connections = new WeakMap<Socket, Exchange[]>();

  const begin = ({ request, response }: Exchange, waiting: Exchange[]) => {
    const { socket } = request;
    response.once('close', () => {
      // Without a pause the event loop would serve no other connection before all waiting requests are answered.
      if (waiting.length > 0) setImmediate(continueWith, socket, waiting);
      else connections.delete(socket);
    });
    listener(request, response);
  };
  const continueWith = (socket: Socket, waiting: Exchange[]) => {
    const next = socket.writable ? waiting.shift() : undefined;
    if (next) begin(next, waiting);
    else connections.delete(socket);
  };
  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return; // an earlier answer was the last of this connection
    const waiting = connections.get(socket);
    if (waiting === undefined) {
      const none: Exchange[] = [];
      connections.set(socket, none);
      begin({ request, response }, none);
    } else if (waiting.length < WAITING_MAX) waiting.push({ request, response });
    else {
      waiting.length = 0;
      countClosed();
      socket.destroy();
    }
  };
}
