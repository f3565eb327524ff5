import type { FlagTicket } from './browser/flag-ticket.js';
import type { Calls, CallOptions, OperationName, PagedName } from './requests/calls.js';
import type { ConnectionSource } from './connection.js';
import type { Server } from './requests/send.js';

// The first use loads each module, so a page loads no code for API keys, and a server loads no code for tabs.

export const lazyServerSource = (server: Server): ConnectionSource =>
  lazySource(() => import('./server-source.js').then(({ serverSource }) => serverSource(server)));

export const lazyTabSource = (
  organization: string,
  ticket: () => Promise<FlagTicket>,
  server: Server,
): ConnectionSource =>
  lazySource(() => import('./browser/tab-source.js').then(({ tabSource }) => tabSource(organization, ticket, server)));

function lazySource(load: () => Promise<ConnectionSource>): ConnectionSource {
  let loaded: Promise<ConnectionSource> | undefined;
  const source = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined; // so that the next use loads the module again
      throw error;
    }));
  return {
    follow: async (on, signal) => (await source()).follow(on, signal),
    fetch: async (...request) => (await source()).fetch(...request),
  };
}

export function lazyCalls(server: Server): Calls {
  const calls = async () => (await import('./requests/calls.js')).callsTo(server);
  return {
    call: async (name, options) => (await calls()).call(name, options),
    pages: async function* <Name extends PagedName>(name: Name, options: CallOptions<Name>) {
      yield* (await calls()).pages(name, options);
    },
    lines: async function* <Line, Name extends OperationName>(name: Name, options: CallOptions<Name>) {
      yield* (await calls()).lines<Line, Name>(name, options);
    },
  };
}
