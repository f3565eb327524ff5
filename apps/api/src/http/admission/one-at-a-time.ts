import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum number of requests of a connection that wait for the answer to an earlier request. */
const WAITING_MAX = 64;

type Exchange = Readonly<{ request: IncomingMessage; response: ServerResponse }>;
/** `isBusy`: whether a request of the connection is running, or begins in the next tick. */
type Connection = { isBusy: boolean; readonly waiting: Exchange[] };

/**
 * Answers the pipelined requests of a connection one after the other. Node starts all pipelined requests at once, so a
 * few connections could use all slots of the process. When a connection is cut, Node closes only the response that Node
 * is sending; the other requests of the connection would never end. If too many requests wait, this listener closes the
 * connection. The listener does not use the event log's `concurrencyLimit`, because each connection has its own short
 * queue.
 */
export function oneAtATime(listener: RequestListener, countClosed: () => void): RequestListener {
  const connections = new WeakMap<Socket, Connection>();

  const begin = ({ request, response }: Exchange, connection: Connection) => {
    const { socket } = request;
    connection.isBusy = true;
    response.on('close', () => {
      // Without a pause the event loop would serve no other connection before all waiting requests are answered.
      if (connection.waiting.length > 0) setImmediate(continueWith, socket, connection);
      else connection.isBusy = false;
    });
    listener(request, response);
  };
  const continueWith = (socket: Socket, connection: Connection) => {
    const next = socket.writable ? connection.waiting.shift() : undefined;
    if (next) begin(next, connection);
    else connection.isBusy = false;
  };
  return (request, response) => {
    const { socket } = request;
    if (!socket.writable) return; // an earlier answer was the last of this connection
    let connection = connections.get(socket);
    if (!connection) connections.set(socket, (connection = { isBusy: false, waiting: [] }));
    const { isBusy, waiting } = connection;
    if (!isBusy) begin({ request, response }, connection);
    else if (waiting.length < WAITING_MAX) waiting.push({ request, response });
    else {
      waiting.length = 0;
      countClosed();
      socket.destroy();
    }
  };
}
