import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:tls';

/**
 * The listener in front of the server: one port for gRPC and for `GET /info/options`. A test can cut connections,
 * refuse them and slow them down. With `tls` it accepts encrypted connections only.
 */
export async function openListener({ port, inner, options, tls }) {
  const open = new Set();
  let slow = 0;
  let clients = 0;
  let listener = await listening(port);
  const place = listener.address().port;

  async function listening(at) {
    const serve = (socket) => {
      open.add(socket);
      clients += 1;
      socket.on('close', () => {
        open.delete(socket);
        clients -= 1;
      });
      socket.on('error', () => socket.destroy());
      socket.once('data', (first) => {
        socket.pause();
        if (first.toString('latin1').startsWith('GET ')) return socket.end(page(options()));
        const through = connect({ port: inner, host: '127.0.0.1', noDelay: true });
        open.add(through);
        through.on('close', () => open.delete(through));
        through.write(first);
        pour(socket, through, () => slow);
        pour(through, socket, () => slow);
        return socket.resume();
      });
    };
    const server = tls
      ? createSecureServer({ ...tls, noDelay: true, ALPNProtocols: ['h2', 'http/1.1'] }, serve)
      : createServer({ noDelay: true }, serve);
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: place,
    cut,
    /** The number of open connections of clients. */
    connections: () => clients,
    /** Refuses connections, as if no process listened, until `accept` is called. */
    refuse: async () => {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      await closed;
    },
    accept: async () => void (listener = await listening(place)),
    /** Delays every chunk by this number of milliseconds, in both directions. */
    slowDown: (ms) => (slow = ms),
    close: () => {
      listener.close();
      cut();
    },
  };
}

function pour(from, to, slow) {
  from.on('data', (piece) => {
    const pass = () => {
      if (to.writable && !to.write(piece)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    if (slow() > 0) setTimeout(pass, slow());
    else pass();
  });
  from.on('end', () => to.end());
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}

const page = (content) => {
  const body = JSON.stringify(content);
  const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return `${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`;
};
