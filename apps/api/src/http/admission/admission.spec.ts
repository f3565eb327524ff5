import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../../../../../test/support/requests/http';
import { admission } from './admission';

// The limits in `acceptance.md` Q2 and Q5.
const room = { changes: 8, others: 5 };
const [noisy, second, third] = [randomUUID(), randomUUID(), randomUUID()];
let server: Server;
let url: string;
let waiting: ServerResponse[];
let putOff: string[];

beforeEach(async () => {
  waiting = [];
  putOff = [];
  const listener: RequestListener = (request, response) => {
    if (/^\/(health|metrics)/.test(request.url!)) response.end('{}');
    else request.resume().on('end', () => waiting.push(response));
  };
  server = createServer(admission(listener, { publicUrl: 'http://localhost' }, (why) => putOff.push(why), room));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const change = (id: string) => send(`${url}/api/v1/organizations/${id}/members`, 'POST', { body: { user: 'x' } });
const ask = (path = '/') => send(`${url}${path}`, 'GET', {});
const until = async (count: number) => {
  while (waiting.length < count) await pause(2);
};
/** Starts `count` requests, and waits until each of them is either running or refused. */
const under = async (count: number, request: () => Promise<{ status: number }>) => {
  const before = waiting.length + putOff.length;
  const requests = Array.from({ length: count }, request);
  while (waiting.length + putOff.length < before + count) await pause(2);
  return requests;
};
const answered = async (requests: readonly Promise<{ status: number }>[]) => {
  waiting.splice(0).forEach((response) => response.end('{}'));
  return (await Promise.all(requests)).map(({ status }) => status);
};

it('Admission gives an organization at most half of the slots; a further request gets 429 and the time after which to retry', async () => {
  const first = await under(4, () => change(noisy));
  const { status, headers, body } = await change(noisy.toUpperCase());
  expect([status, headers['retry-after'], body.type]).toEqual([429, '1', '/problems/busy']);
  expect(putOff).toEqual(['organization']);
  expect(await answered(first)).toEqual([200, 200, 200, 200]);
});

it('Admission also counts an organization whose id the caller percent-encodes', async () => {
  const first = await under(4, () => change(noisy));
  const encoded = noisy.replace(/^./, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
  const further = await under(3, () => change(encoded));
  expect(putOff).toEqual(['organization', 'organization', 'organization']);
  expect(await answered([...first, ...further])).toEqual([200, 200, 200, 200, 429, 429, 429]);
  expect(await answered(await under(1, () => change(`${encoded}%`)))).toEqual([200]);
});

it('Admission lets requests of other organizations run until all slots are taken', async () => {
  const requests = [
    ...(await under(20, () => change(noisy))),
    ...(await under(20, () => change(second))),
    ...(await under(1, () => change(third))),
  ];
  expect(waiting).toHaveLength(4 + 2 + 1);
  requests.push(...(await under(1, () => send(`${url}/login`, 'POST', { body: {} }))));
  const { status, headers, body } = await change(randomUUID());
  expect([status, headers['retry-after'], body.type]).toEqual([503, '1', '/problems/busy']);
  expect(putOff.at(-1)).toBe('process');
  expect((await answered(requests)).filter((one) => one === 200)).toHaveLength(8);
  const next = await under(1, () => change(noisy));
  expect(await answered(next)).toEqual([200]);
});

it('Admission counts reads and changes separately, and refuses reads beyond the limit of reads', async () => {
  const changes = await under(20, () => change(noisy));
  const requests = await under(5, ask);
  expect((await ask()).status).toBe(503);
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await ask(path)).status).toBe(200);
  expect((await ask('/healthy')).status).toBe(503);
  const all = await answered([...changes, ...requests]);
  expect(all.slice(-5)).toEqual([200, 200, 200, 200, 200]);
  expect(all.filter((status) => status === 429)).toHaveLength(16);
});

it('Admission counts evaluations of flags as reads, so that they take no slots of changes', async () => {
  const evaluate = () => send(`${url}/ofrep/v1/evaluate/flags?flagConfigEtag=r9`, 'POST', { body: {} });
  const requests = await under(6, evaluate);
  expect([waiting.length, putOff]).toEqual([5, ['process']]);
  requests.push(...(await under(4, () => change(noisy))));
  expect((await answered(requests)).slice(-4)).toEqual([200, 200, 200, 200]);
});

it('Admission frees the slots of callers that disconnect, so that later requests run', async () => {
  const sockets = Array.from({ length: 4 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  const path = `/api/v1/organizations/${noisy}`;
  sockets.forEach((socket) => socket.write(`DELETE ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
  await until(4);
  expect((await change(noisy)).status).toBe(429);
  sockets.forEach((socket) => socket.destroy());
  await pause(50);
  waiting.length = 0;
  const next = await under(4, () => change(noisy));
  expect(await answered(next)).toEqual([200, 200, 200, 200]);
});

it('Admission does not count a request while its body arrives', async () => {
  const sockets = Array.from({ length: 8 }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  const head = `POST /api/v1/organizations/${noisy}/members HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`;
  sockets.forEach((socket) => socket.write(head));
  await pause(50);
  const next = await under(1, () => change(noisy));
  expect(await answered(next)).toEqual([200]);
  sockets.forEach((socket) => socket.destroy());
});
