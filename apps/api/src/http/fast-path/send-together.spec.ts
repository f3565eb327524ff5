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

describe('The answers of a tick', () => {
  it('are written together when the tick ends', async () => {
    const answers = await requested(3);
    const isWritten = () => responses.map(({ writableEnded }) => writableEnded);
    responses.forEach((response, index) => sendTogether(response, 200, { ETag: `"${index}"` }, `body ${index}`));
    expect([...isWritten(), ...responses.map(({ headersSent }) => headersSent)]).toEqual([
      ...[false, false, false],
      ...[true, true, true],
    ]);
    await nextTick();
    expect(isWritten()).toEqual([true, true, true]);
    const received = await Promise.all(answers);
    expect(received.toSorted()).toEqual(['200 "0" body 0', '200 "1" body 1', '200 "2" body 2']);
  });

  it('reach the other clients if a client has disconnected meanwhile', async () => {
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
