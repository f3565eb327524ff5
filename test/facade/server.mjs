import grpc from '@grpc/grpc-js';
import { openListener } from './grpc-listener.mjs';
import { contentsIn } from './contents.mjs';
import { faultsFrom } from './faults.mjs';
import { clusterOf, services, supportedMethods } from './messages.mjs';
import { streamRulesOf } from './stream-rules.mjs';
import { streamCalls } from './streams.mjs';

const { Server, ServerCredentials } = grpc;

/**
 * A stand-in for an EventStoreDB server: it answers EventStoreDB's client from an embedded log. For tests only: it
 * proves nothing about real servers.
 */
export async function facadeOver(log, { folder, port = 0, version = '23.10.8', tls, user }) {
  const faults = faultsFrom();
  const contents = contentsIn(folder);
  const rules = await streamRulesOf(log, contents);
  // `leader`: the port of the leader, if another member leads. `members`: all members, if the cluster has several.
  // `lateCaughtUp`: a subscription gets `caught-up` only after an event has matched its filter.
  // `lateCheckpoints`: a subscription gets no checkpoint while it reads the events that existed at its start.
  const state = { version, user, options: [{ name: 'MemDb', value: 'False' }], leader: undefined, members: undefined };
  // A real server has the same limit of calls on one connection.
  const limits = { 'grpc.max_concurrent_streams': 100, 'grpc.max_receive_message_length': 20 * 2 ** 20 };
  const server = new Server(limits);
  server.addService(services.streams, streamCalls(log, { contents, rules, faults, state }));
  server.addService(services.features, {
    getSupportedMethods: (_, answer) => answer(null, supportedMethods(state.version)),
  });
  server.addService(services.gossip, {
    read: (_, answer) => answer(null, clusterOf(state.members ?? [{ port: listener.port }])),
  });
  const inner = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  const listener = await openListener({ port, inner, options: () => state.options, tls });
  faults.cutBy(() => listener.cut());
  await foundSystem(log);
  return {
    port: listener.port,
    url: `esdb://127.0.0.1:${listener.port}?tls=${tls !== undefined}`,
    faults,
    listener,
    state,
    close: async () => {
      listener.close();
      server.forceShutdown();
      await log.close();
    },
  };
}

/** Writes an event of the system, because the log of a real server begins with such events. */
async function foundSystem(log) {
  const settings = { id: '11111111-1111-4111-8111-111111111111', type: 'system:$settings', data: {} };
  await log.append('system:$settings', [settings], { expected: 'no_stream' });
}
