import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { retryLater } from '../problems/problem';
import { earlyRefusal } from './early-refusal';

it('The early refusal of a request names the time after which the caller may retry', async () => {
  const refuse = earlyRefusal({ publicUrl: 'http://localhost:3000' });
  const server = createServer((request, response) =>
    refuse(request, response, retryLater('busy', 'Too much at once.', 7)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
  expect(await answer.json()).toMatchObject({ type: '/problems/busy', status: 503 });
  server.closeAllConnections();
  server.close();
});
