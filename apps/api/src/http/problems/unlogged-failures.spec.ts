import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { markFailureLogged, logUnexplainedFailures } from './unlogged-failures';

/** The log lines that are written during one request to this listener. */
async function saidOf(listener: RequestListener): Promise<readonly object[]> {
  const said: object[] = [];
  const logger = { error: (entry: object, msg: string) => void said.push({ ...entry, msg }) };
  const runtime = { logger, settings: { trustProxy: [] } } as unknown as Parameters<typeof logUnexplainedFailures>[1];
  const server = createServer(logUnexplainedFailures(listener, runtime));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: 'POST' }).then((answer) =>
    answer.text(),
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return said;
}

const answer =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end();

describe('An answer', () => {
  it.each([500, 503])(
    'with the status %i is logged if the reason of the failure was not logged before',
    async (status) => {
      expect(await saidOf(answer(status))).toEqual([
        {
          request: expect.stringMatching(/^[\da-f-]{36}$/) as string,
          address: '127.0.0.1',
          method: 'POST',
          status,
          msg: 'a request failed without a logged reason',
        },
      ]);
    },
  );

  it('with the status 503 is not logged if the reason of the failure was logged before', async () => {
    const answerLogged: RequestListener = (request, response) => {
      markFailureLogged(request);
      answer(503)(request, response);
    };
    expect(await saidOf(answerLogged)).toEqual([]);
  });

  it.each([200, 409])('with the status %i is not logged', async (status) =>
    expect(await saidOf(answer(status))).toEqual([]),
  );
});
