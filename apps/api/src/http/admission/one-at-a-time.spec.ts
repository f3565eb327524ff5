import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { oneAtATime } from './one-at-a-time';

// acceptance.md Q10
type Running = Readonly<{ url: string; response: ServerResponse }>;
let server: Server;
let socket: Socket;
let [begun, closed]: [Running[], string[]] = [[], []];
let cutOff = 0;
let received = '';

beforeEach(async () => {
  [begun, closed, cutOff, received] = [[], [], 0, ''];
  const listener = oneAtATime(
    ({ url = '' }, response) => {
      begun.push({ url, response });
      response.once('close', () => closed.push(url));
    },
    () => (cutOff += 1),
  );
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
});
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pipeline = (count: number) =>
  socket.write(Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
const until = async (holds: () => boolean) => {
  while (!holds()) await pause(2);
};
const names = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

describe('Pipelined requests of one connection', () => {
  it('run one at a time and are answered in order', async () => {
    pipeline(20);
    for (let index = 0; index < 20; index += 1) {
      await until(() => begun.length > index);
      await pause(1);
      expect(begun.map(({ url }) => url)).toEqual(names(index + 1));
      begun[index]!.response.end(`answer ${index};`);
    }
    await until(() => received.includes('answer 19;'));
    expect(received.match(/answer \d+;/g)).toEqual(names(20).map((name) => `answer ${name.slice(1)};`));
  });

  it('do not start after the connection is cut; the response to the running request is then closed', async () => {
    pipeline(20);
    await until(() => begun.length === 1);
    socket.destroy();
    await until(() => closed.length === begun.length);
    expect(begun.map(({ url }) => url)).toEqual(['/0']);
  });

  it('close the connection when more than 64 of them wait', async () => {
    pipeline(65);
    await until(() => begun.length === 1);
    await pause(5);
    expect([cutOff, socket.destroyed]).toEqual([0, false]);
    const gone = once(socket, 'close');
    pipeline(1);
    await gone;
    expect([cutOff, begun.length, closed]).toEqual([1, 1, ['/0']]);
  });

  it('do not delay requests of other connections', async () => {
    pipeline(20);
    await until(() => begun.length === 1);
    const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/other`);
    await until(() => begun.length === 2);
    begun[1]!.response.end('other');
    expect(await (await answer).text()).toBe('other');
  });
});
