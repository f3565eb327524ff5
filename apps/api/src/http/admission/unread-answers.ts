import type { RequestListener } from 'node:http';

/**
 * The number of milliseconds in which a client must read a part of a complete answer. After at most two such intervals
 * without progress, the connection closes.
 */
const PROGRESS_MS = 30_000;

/**
 * Closes the connection of a client that does not read the rest of its answer. Node would wait for ever, and the
 * request would occupy a slot of the process.
 */
export const closeUnreadAnswers =
  (listener: RequestListener, progressMs = PROGRESS_MS): RequestListener =>
  (request, response) => {
    if (request.socket.timeout) request.setTimeout(0); // the limit for an earlier answer of the connection
    // At `prefinish`, the listener has passed the whole answer to Node. After the client has read the answer, Node
    // replaces this limit with its limit for idle connections.
    response.once('prefinish', () => {
      if (request.socket.writableLength > 0) response.setTimeout(progressMs); // most answers have no rest
    });
    listener(request, response);
  };
