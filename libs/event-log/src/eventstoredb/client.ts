import { readFileSync } from 'node:fs';
import type { ChannelCredentialOptions, EventStoreDBClient } from '@eventstore/db-client';
import { StoreRefused } from '../store-refused';
import type { EventStoreAddress } from './address';

/** The client of `@eventstore/db-client`, with two things that it keeps private. */
export type EventStoreClient = EventStoreDBClient &
  Readonly<{
    /** The server's version, in its own words; `unknown` if the server does not send it. */
    version: () => Promise<string>;
    /** Closes the client's connection. */
    closeChannel: () => Promise<void>;
  }>;

/** Makes a client; it connects later. Loads the package only here, so that the embedded log does not wait for it. */
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
 * The user of an append. Credentials select the call that keeps its deadline; without them all appends share one
 * stream, on which a lost answer blocks for ever (`event-log.md` B). The client does not send them without TLS.
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
