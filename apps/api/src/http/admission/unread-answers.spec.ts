import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { oneAtATime } from './one-at-a-time';
import { closeUnreadAnswers } from './unread-answers';

let server: Server;
afterEach(() => server.close());

async function connected(listener: RequestListener) {
  server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[accepted]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [typeof socket],
    unknown,
  ];
  for (const end of [accepted, socket]) end.on('error', () => undefined); // `close` follows
  return { socket, accepted };
}

/** The number of bytes of a large answer: more than the buffers of the operating system. */
const LARGE = 16 * 1024 * 1024;

async function requestOfLargeAnswer(progressMs: number) {
  const answer = Buffer.alloc(LARGE);
  const ends = await connected(closeUnreadAnswers((_request, response) => void response.end(answer), progressMs));
  ends.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return ends;
}

describe('The connection of a client', () => {
  it('is closed if the client does not read the answer, so that the answer does not occupy a slot for ever', async () => {
    const { socket, accepted } = await requestOfLargeAnswer(500);
    await once(accepted, 'close');
    socket.destroy();
  }, 5_000);

  it('stays open while the client reads slowly', async () => {
    const { socket, accepted } = await requestOfLargeAnswer(2_000);
    let read = 0;
    socket.on('data', (piece) => {
      read += piece.length;
      socket.pause();
      setTimeout(() => socket.resume(), 2);
    });
    while (!accepted.destroyed && read < LARGE) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(accepted.destroyed).toBe(false);
    socket.destroy();
  }, 20_000);

  it('stays open while the next request of the connection runs', async () => {
    const large = Buffer.alloc(LARGE);
    const answer: RequestListener = ({ url }, response) => {
      if (url === '/slow') setTimeout(() => response.end(), 1_500);
      else response.end(large);
    };
    const { socket } = await connected(oneAtATime(closeUnreadAnswers(answer, 500), () => undefined));
    let received = '';
    socket.on('data', (piece: Buffer) => (received += piece.toString()));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});
