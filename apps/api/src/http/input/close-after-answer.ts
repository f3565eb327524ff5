import type { IncomingMessage } from 'node:http';

/**
 * The number of milliseconds for which the process drops the bytes that arrive after the last answer of a connection.
 */
const LINGER_MS = 2_000;

/** This header says that the answer is the last answer of its connection. */
export const LAST_ANSWER = { Connection: 'close' } as const;

/**
 * Changes how Node closes the connection after an answer with `Connection: close`. The process ends its own side, drops
 * the bytes that still arrive, and then closes the connection. If the process closed it while the client still sends,
 * the client could lose the answer.
 */
export function closeAfterAnswer({ socket }: IncomingMessage): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
