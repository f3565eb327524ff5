import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, EventStoreDBClient } from '@eventstore/db-client';
import { StoreRefused } from '../store-refused';
import type { EventStoreAddress } from './address';

/** The client of `@eventstore/db-client`, with two functions that the package does not export. */
export type EventStoreClient = EventStoreDBClient &
  Readonly<{
    /** The version that the server reports; `unknown` if the server reports none. */
    version: () => Promise<string>;
    /** Closes the client's connection. */
    closeChannel: () => Promise<void>;
  }>;

/**
 * Makes a client, which connects at its first call. Loads the package only here, so that a process with the embedded
 * log does not load it.
 */
export async function clientFor(address: EventStoreAddress): Promise<EventStoreClient> {
  const { EventStoreDBClient } = await import('@eventstore/db-client');
  class WithVersion extends EventStoreDBClient {
    async version() {
      return (await this.capabilities).serverVersion;
    }
    async closeChannel() {
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
 * The credentials that the client gets with each append. With credentials the client makes a separate call for each
 * append, with a deadline. Without credentials all appends share one gRPC stream, and one lost answer blocks all
 * appends for ever (`event-log.md` B). Without TLS, the client does not send the credentials.
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
