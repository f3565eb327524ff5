import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenStreams } from './open-streams';

describe('An open stream', () => {
  it('has already ended if the client disconnected before the stream began', async () => {
    const streams = createOpenStreams({ stopping: () => false });
    const begun = Promise.withResolvers<undefined>();
    const server = createServer((_request, response) => {
      client.destroy();
      response.once('close', () =>
        setImmediate(() => void streams.open(response, async () => {}).ended.then(() => begun.resolve(undefined))),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    client.on('error', () => undefined).end();
    await begun.promise;
    expect(streams.count()).toBe(0);
    server.close();
  });
});
