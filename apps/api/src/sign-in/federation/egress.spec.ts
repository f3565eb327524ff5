import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTime } from '../../../../../test/support/in-time';
import { egress, REQUEST_MS } from './egress';

let server: Server;
let requests: { url: string; body: string }[];
let answer: RequestListener;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      requests.push({ url: request.url!, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => void (requests = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('The egress returns the status and the body of an answer', async () => {
  answer = (_, response) => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no"}');
  const body = new URLSearchParams({ code: 'a b' });
  const answered = await egress('any-address')(`${origin}/token`, { method: 'POST', body });
  expect([answered.status, await answered.json(), requests]).toEqual([
    400,
    { error: 'no' },
    [{ url: '/token', body: 'code=a+b' }],
  ]);
});

it('G9: The egress does not follow a redirect', async () => {
  answer = (_, response) => response.writeHead(302, { location: `${origin}/internal` }).end();
  expect((await egress('any-address')(origin)).status).toBe(302);
  expect(requests.map(({ url }) => url)).toEqual(['/']);
});

it('The egress refuses an answer above the size limit', async () => {
  answer = (_, response) => response.end('x'.repeat(300 * 1024));
  await expect(egress('any-address')(origin)).rejects.toThrow('too large');
});

it('The egress stops at the time limit, even if small parts of an answer still arrive', async () => {
  answer = (_, response) => {
    const drip = setInterval(() => response.write('x'), 100);
    response.on('close', () => clearInterval(drip));
  };
  await expect(inTime(REQUEST_MS + 1_000, egress('any-address')(origin))).rejects.toThrow(/timeout|aborted/);
});

it.each([
  'http://provider.example',
  'ftp://provider.example',
  'https://user@provider.example',
  'https://127.0.0.1',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://0x7f000001',
  'https://2130706433',
  'https://169.254.169.254/latest',
  'https://10.0.0.1:8443',
  'https://localhost',
])('The egress refuses %s if only public addresses are allowed', async (address) => {
  await expect(egress('public')(address)).rejects.toThrow(/use https|internal|no user/);
});
