import { EventEmitter, once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenStreams } from './open-streams';

const openResponse = () =>
  Object.assign(new EventEmitter(), {
    ...{ closed: false, destroyed: false, writableEnded: false, writableLength: 0 },
    ...{ writeHead: jest.fn(), write: jest.fn(), end: jest.fn(), destroy: jest.fn() },
  });

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

  it('that is silent sends an SSE comment every 15 seconds; a notice delays the next comment', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const response = openResponse();
    const streams = createOpenStreams({ stopping: () => false });
    const stream = streams.open(response as unknown as ServerResponse, async () => {});
    const comments = () => response.write.mock.calls.filter(([text]) => text === ': still here\n\n').length;
    const after = (ms: number) => {
      jest.advanceTimersByTime(ms);
      return comments();
    };
    expect([after(14_500), after(1_000), after(14_000), after(1_000)]).toEqual([0, 1, 1, 2]);
    jest.advanceTimersByTime(10_000);
    stream.send('a notice');
    expect([after(14_500), after(1_000)]).toEqual([2, 3]);
    response.emit('close');
    await new Promise((resolve) => setImmediate(resolve));
    jest.useRealTimers();
  });

  it('shares one timer with all streams of the process', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const streams = createOpenStreams({ stopping: () => false });
    const responses = Array.from({ length: 100 }, openResponse);
    for (const response of responses) streams.open(response as unknown as ServerResponse, async () => {});
    expect([streams.count(), jest.getTimerCount()]).toEqual([100, 1]);
    for (const response of responses) response.emit('close');
    await new Promise((resolve) => setImmediate(resolve));
    expect([streams.count(), jest.getTimerCount()]).toEqual([0, 0]);
    jest.useRealTimers();
  });

  it('sends no notice while a check of the permission is running that then fails', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const response = openResponse();
    const lost = Promise.withResolvers<undefined>();
    const streams = createOpenStreams({ stopping: () => false });
    const stream = streams.open(response as unknown as ServerResponse, () => lost.promise);
    jest.advanceTimersByTime(5_100); // the timer has begun a check
    const isAllowed = stream.isAllowed();
    lost.reject(new Error('The session has ended.'));
    expect(await isAllowed).toBe(false);
    response.emit('close');
    await new Promise((resolve) => setImmediate(resolve));
    jest.useRealTimers();
  });

  it('closes the connection of a client that does not read the end of its stream', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const response = openResponse();
    const streams = createOpenStreams({ stopping: () => false });
    streams.open(response as unknown as ServerResponse, async () => {}).end();
    jest.advanceTimersByTime(4_500);
    expect([response.end.mock.calls.length, response.destroy.mock.calls.length]).toEqual([1, 0]);
    jest.advanceTimersByTime(1_000);
    expect(response.destroy).toHaveBeenCalled();
    response.emit('close');
    await new Promise((resolve) => setImmediate(resolve));
    expect(streams.count()).toBe(0);
    jest.useRealTimers();
  });
});
