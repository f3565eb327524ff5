/** @jest-environment node */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SentFetch, sendFetch } from './sent-fetch';

const server = createServer(({ url }, answer) => {
  answer.writeHead(url === '/busy' ? 503 : 200, { 'Request-Id': 'the-request' });
  if (url !== '/never') answer.end('an answer');
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function sent(address: string, init: RequestInit = {}) {
  const reported: SentFetch[] = [];
  const answer = await sendFetch(address, init, (one) => reported.push(one)).catch(() => undefined);
  return { answer, reported };
}

describe('A request with fetch', () => {
  it.each([
    ['/fine', 200],
    ['/busy', 503],
  ])('reports its URL, its status and its request id: %s', async (path, status) => {
    const { answer, reported } = await sent(origin + path);
    expect(await answer!.text()).toBe('an answer');
    expect(reported).toEqual([
      { address: origin + path, status, milliseconds: expect.any(Number) as number, request: 'the-request' },
    ]);
  });

  it('reports the status 0 if there is no answer', async () => {
    const { answer, reported } = await sent('http://127.0.0.1:1/');
    expect(answer).toBeUndefined();
    expect(reported).toMatchObject([{ status: 0, request: '' }]);
  });

  it('is not reported if the page has cancelled it', async () => {
    const { reported } = await sent(origin, { signal: AbortSignal.abort() });
    expect(reported).toEqual([]);
  });
});
