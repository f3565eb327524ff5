import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { retryLater } from '../problems/problem';
import { earlyRefusal } from './early-refusal';

let server: Server;
beforeEach(async () => {
  const refuse = earlyRefusal({ publicUrl: 'http://localhost:3000' });
  server = createServer((request, response) => refuse(request, response, retryLater('busy', 'Too much at once.', 7)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
const ask = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

describe('The early refusal of a request', () => {
  it('names the time after which the caller may retry', async () => {
    const answer = await ask('/');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await answer.json()).toMatchObject({ type: '/problems/busy', status: 503 });
  });

  it('is a failure of OFREP on the routes of OFREP', async () => {
    const answer = await ask('/ofrep/v1/evaluate/flags/feedback');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
    expect(await answer.json()).toEqual({
      ...{ key: 'feedback', errorCode: 'GENERAL', errorDetails: 'Too much at once.' },
      ...{ type: '/problems/busy', title: expect.any(String) },
    });
  });
});
