import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { sendTogether } from './send-together';

let server: Server;
let responses: ServerResponse[];
beforeEach(async () => {
  responses = [];
  server = createServer((_, response) => void responses.push(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

/**
 * Sends requests at the same time. Resolves when the server has received all of them. An answer is the status, a
 * header and the body, or `undefined` if the connection has ended without an answer.
 */
async function requested(count: number): Promise<Promise<string | undefined>[]> {
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: count }, () =>
    fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } }).then(
      async (answer) => `${answer.status} ${answer.headers.get('etag')} ${await answer.text()}`,
      () => undefined,
    ),
  );
  while (responses.length < count) await nextTick();
  return answers;
}

const isWritten = () => responses.map(({ writableEnded }) => writableEnded);

/** Answers requests in one tick, so that the answers of the next tick wait for each other. */
async function busyTick(): Promise<void> {
  const answers = await requested(2);
  for (const response of responses) sendTogether(response, 204, {});
  await nextTick();
  await Promise.all(answers);
  responses = [];
}

/** Answers one request in one tick, so that the next answer is written at once. */
async function quietTick(): Promise<void> {
  const [answer] = await requested(1);
  sendTogether(responses[0]!, 204, {});
  await nextTick();
  await answer;
  responses = [];
}

describe('The answers of a tick', () => {
  it('are written together when the tick ends, if the tick before had several answers', async () => {
    await busyTick();
    const answers = await requested(3);
    responses.forEach((response, index) => sendTogether(response, 200, { ETag: `"${index}"` }, `body ${index}`));
    expect(responses.map(({ headersSent }) => headersSent)).toEqual([true, true, true]);
    expect(isWritten()).toEqual([false, false, false]);
    await nextTick();
    expect(isWritten()).toEqual([true, true, true]);
    const received = await Promise.all(answers);
    expect(received.toSorted()).toEqual(['200 "0" body 0', '200 "1" body 1', '200 "2" body 2']);
  });

  it('are written at once if the tick before had one answer', async () => {
    await busyTick();
    await quietTick();
    const [answer] = await requested(1);
    sendTogether(responses[0]!, 200, { ETag: '"1"' }, 'body');
    expect(isWritten()).toEqual([true]);
    expect(await answer).toBe('200 "1" body');
  });

  it('reach the other clients if a client has disconnected meanwhile', async () => {
    await busyTick();
    const answers = await requested(2);
    for (const response of responses) sendTogether(response, 304, { ETag: '"1"' });
    responses[0]!.destroy();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([undefined, '304 "1" ']));
  });

  it('fail at once if a header is not valid, so that the route can answer differently', async () => {
    const [answer] = await requested(1);
    expect(() => sendTogether(responses[0]!, 200, { ETag: 'a\nb' })).toThrow('Invalid character');
    sendTogether(responses[0]!, 500, { ETag: 'none' });
    expect(await answer).toBe('500 none ');
  });
});
