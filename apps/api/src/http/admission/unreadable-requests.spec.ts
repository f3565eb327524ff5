import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { notingAnswers, refuseUnreadableRequest } from './unreadable-requests';

let server: Server;
afterEach(() => server.close());

/** Sends the text to a server with a short time limit. Returns the statuses of all answers on the connection. */
async function statusesFor(listener: RequestListener, text: string): Promise<readonly string[]> {
  server = createServer({ requestTimeout: 200, headersTimeout: 200, connectionsCheckingInterval: 20 }, listener);
  server.on('clientError', refuseUnreadableRequest({ publicUrl: 'http://localhost' }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined); // `close` follows
  socket.write(text);
  await once(socket, 'close');
  return [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);
}

const UNFINISHED = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na';
const answering = notingAnswers((_request, response) => void response.writeHead(403).end());
const waiting = notingAnswers(() => undefined);

describe('Request whose body does not arrive within the time limit', () => {
  it('gets 408 if it was not answered before', async () => {
    expect(await statusesFor(waiting, UNFINISHED)).toEqual(['408']);
  });

  it('gets no second answer if it was answered before its end', async () => {
    expect(await statusesFor(answering, UNFINISHED)).toEqual(['403']);
  });
});

it('A request that is not valid HTTP gets no answer while an earlier request is running, because the answer would seem to be for the earlier request', async () => {
  const two = 'GET / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n';
  const sending = notingAnswers((_request, response) => void response.writeHead(200).write('part of the answer'));
  expect(await statusesFor(sending, two)).not.toContain('501');
  server.close();
  expect(await statusesFor(waiting, two)).not.toContain('501');
});

it('A request whose body is not valid HTTP gets no answer while an earlier request is running', async () => {
  const two = 'GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n';
  const sending = notingAnswers(({ method }, response) => {
    if (method === 'GET') response.writeHead(200).write('part of the answer');
  });
  expect(await statusesFor(sending, two)).not.toContain('400');
});

it('A request that is not valid HTTP gets 501, even after an answer to an earlier request', async () => {
  expect(await statusesFor(answering, 'GET / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n')).toEqual(['403', '501']);
});
