import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A request whose chunked body has no end. The client sends chunks as fast as the server reads them. */
export type EndlessBody = Readonly<{
  /** The status of the first answer; undefined before an answer arrives. */
  status: () => number | undefined;
  /** Everything that the server has sent. */
  received: () => string;
  sentBytes: () => number;
  /** Resolves when the server has closed the connection, with the milliseconds since the beginning of the request. */
  closed: Promise<number>;
  /** Closes the connection. */
  leave: () => void;
}>;

/** Sends the request line, these headers, and chunks without an end. */
export function endlessBody(url: string, line: string, headers: Readonly<Record<string, string>>): EndlessBody {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  const socket = connect(Number(port), hostname);
  let answer = '';
  let bytes = 0;
  const send = async () => {
    while (socket.writable) {
      bytes += CHUNK.length;
      if (!socket.write(CHUNK)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      await yieldToEventLoop();
    }
  };
  const all = { Host: 'localhost', 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const closed = new Promise<number>((resolve) => {
    socket.on('error', () => undefined); // `close` follows
    socket.on('close', () => resolve(performance.now() - began));
  });
  send().catch(() => undefined); // the server may cut the connection while the client sends
  return {
    status: () => (answer === '' ? undefined : Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])),
    received: () => answer,
    sentBytes: () => bytes,
    closed,
    leave: () => socket.destroy(),
  };
}

const CHUNK_BYTES = 0x4000;
const CHUNK = Buffer.concat([
  Buffer.from(`${CHUNK_BYTES.toString(16)}\r\n`),
  Buffer.alloc(CHUNK_BYTES, 'x'),
  Buffer.from('\r\n'),
]);
