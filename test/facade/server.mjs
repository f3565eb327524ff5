import grpc from '@grpc/grpc-js';
import { openDoor } from './grpc-listener.mjs';
import { faultsFrom } from './faults.mjs';
import { clusterOf, services, supportedMethods } from './messages.mjs';
import { streamCalls } from './streams.mjs';

const { Server, ServerCredentials } = grpc;

/** What the real client can speak to, over an embedded log. For tests: it proves nothing about real servers. */
export async function facadeOver(log, { port = 0, version = '23.10.8', tls, user } = {}) {
  const faults = faultsFrom();
  // `leader`: the port of the member that leads, if this one does not; `members`: the cluster, if it is not alone.
  const told = { version, user, options: [{ name: 'MemDb', value: 'False' }], leader: undefined, members: undefined };
  // As many calls on one connection as a real server allows.
  const limits = { 'grpc.max_concurrent_streams': 100, 'grpc.max_receive_message_length': 20 * 2 ** 20 };
  const server = new Server(limits);
  server.addService(services.streams, streamCalls(log, faults, told));
  server.addService(services.features, {
    getSupportedMethods: (_, answer) => answer(null, supportedMethods(told.version)),
  });
  server.addService(services.gossip, {
    read: (_, answer) => answer(null, clusterOf(told.members ?? [{ port: door.port }])),
  });
  const inner = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const door = await openDoor({ port, inner, options: () => told.options, tls });
  faults.cutBy(() => door.cut());
  await foundSystem(log);
  return {
    port: door.port,
    url: `esdb://127.0.0.1:${door.port}?tls=${tls !== undefined}`,
    faults,
    door,
    told,
    close: async () => {
      door.close();
      server.forceShutdown();
      await log.close();
    },
  };
}

/** A real server's log begins with events of its own. */
async function foundSystem(log) {
  const settings = { id: '11111111-1111-4111-8111-111111111111', type: 'system:$settings', data: {} };
  await log.append('system:$settings', [settings], { expected: 'no_stream' });
}
