import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, EventStoreDBClient } from '@eventstore/db-client';
import { StoreRefused } from '../store-refused';
import type { EventStoreAddress } from './address';

/** The client, and two things that it keeps to itself. */
export type EventStoreClient = EventStoreDBClient &
  Readonly<{
    /** What the server calls its version; `unknown` if it does not say. */
    version: () => Promise<string>;
    /** Closes its connection. */
    hangUp: () => Promise<void>;
  }>;

/** Makes a client; nothing is sent yet. The package is loaded only here: who keeps an embedded log never waits for it. */
export async function clientFor(address: EventStoreAddress): Promise<EventStoreClient> {
  const { EventStoreDBClient } = await import('@eventstore/db-client');
  class WithVersion extends EventStoreDBClient {
    async version() {
      return (await this.capabilities).serverVersion;
    }
    async hangUp() {
      (await this.getChannel()).close();
    }
  }
  const { hosts, isDiscovered, numbers, user } = address;
  const settings = { ...numbers, nodePreference: 'leader' as const };
  const security = securityOf(address);
  const [first] = hosts;
  if (isDiscovered) return new WithVersion({ ...settings, discover: first! }, security, user);
  if (hosts.length === 1) return new WithVersion({ ...numbers, endpoint: first! }, security, user);
  return new WithVersion({ ...settings, endpoints: [...hosts] }, security, user);
}

/**
 * Who appends. Said with every append, since that takes the call that keeps its deadline; without it all appends share one
 * stream, on which an answer that never comes is waited for for ever. A server without TLS is never sent it.
 */
export const appendCredentials = ({ user }: EventStoreAddress) => user ?? { username: 'charter', password: 'charter' };

function securityOf({ isSecure, files }: EventStoreAddress): ChannelCredentialOptions {
  if (!isSecure) return { insecure: true };
  return {
    ...(files.tlsCAFile && { rootCertificate: fileOf('tlsCAFile', files.tlsCAFile) }),
    ...(files.userCertFile && { userCertFile: fileOf('userCertFile', files.userCertFile) }),
    ...(files.userKeyFile && { userKeyFile: fileOf('userKeyFile', files.userKeyFile) }),
  };
}

function fileOf(key: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new StoreRefused(`EVENT_LOG: ${key} names a file that cannot be read, ${file}.`, { cause });
  }
}
