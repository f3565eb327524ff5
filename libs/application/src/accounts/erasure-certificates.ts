import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Moment } from '@charter/decider';
import {
  contentOf,
  createFolder,
  type EventLog,
  metadataOf,
  putTextInPlace,
  type StoredEvent,
} from '@charter/event-log';
import type { Signer } from '@charter/integrity';
import { accountStream } from '@charter/identity';
import { certificateOf, type Erasure } from './erasure-certificate';
import type { Settings } from '@charter/settings';

/** Certificates of erasures. Charter can compute each certificate anew at any time from the log and the signing key. */
export type CertificateStore = Readonly<{
  /** The certificate of one account; undefined if the log contains no readable erasure of this account. */
  of: (account: string) => Promise<string | undefined>;
  /**
   * Stores the certificate in a file that a restore of the stores does not overwrite. Does nothing if the tables are on
   * a database server.
   * @throws CertificateNotWritten
   */
  keep: (account: string) => Promise<void>;
  /** The certificates of all erasures in the log; `read` gets the number of account events read so far. */
  all: (read?: (events: number) => void) => AsyncIterable<Readonly<{ account: string; certificate: string }>>;
}>;

/** The folder of the certificates, beside the embedded tables. The folder contains one file for each erased account. */
export const erasuresFolder = (data: string): string => join(data, 'erasures');

export function certificateStore(
  log: Pick<EventLog, 'readStream' | 'readAll' | 'identity'>,
  signer: Signer,
  settings: Pick<Settings, 'data' | 'documentsServer'>,
): CertificateStore {
  const certified = async (erasure: Omit<Erasure, 'store'>) =>
    certificateOf({ store: await log.identity(), ...erasure }, signer);
  const of = async (account: string) => {
    const erasure = await firstErasure(log, account);
    return erasure && certified(erasure);
  };
  return {
    of,
    keep: async (account) => {
      if (settings.documentsServer) return;
      const certificate = await of(account);
      if (certificate === undefined) return;
      // Replaces any file with this name, for example a certificate that another key has signed.
      writeCertificate(erasuresFolder(settings.data), account, certificate, 'over another');
    },
    all: async function* (read = () => undefined) {
      let events = 0;
      const seen = new Set<string>();
      for await (const event of log.readAll({ streamPrefixes: [accountStream('')] })) {
        read((events += 1));
        const erasure = seen.has(event.stream) ? undefined : erasureIn(event);
        if (!erasure) continue;
        seen.add(event.stream);
        yield { account: erasure.account, certificate: await certified(erasure) };
      }
    },
  };
}

/** Thrown when Charter cannot write a certificate into its folder, for example because the disk is full. */
export class CertificateNotWritten extends Error {
  constructor(folder: string, cause: NodeJS.ErrnoException) {
    super(
      `The folder ${folder} cannot be written (${cause.code}): check its owner and rights, and whether its disk is full.`,
      { cause },
    );
    this.name = 'CertificateNotWritten';
  }
}

/**
 * Writes a certificate and returns the file's path, and the file's previous content: nothing, the same certificate, or
 * another text. Replaces another text only if `over` is set.
 * @throws CertificateNotWritten
 */
export function writeCertificate(folder: string, account: string, certificate: string, over?: 'over another') {
  const file = join(folder, `${account}.erasure`);
  try {
    createFolder(folder);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    if (before === certificate) return { file, before: 'the same' } as const;
    if (before === undefined || over) putTextInPlace(file, certificate, { replaces: over !== undefined });
    return { file, before: before === undefined ? 'nothing' : 'another' } as const;
  } catch (error) {
    throw new CertificateNotWritten(folder, error as NodeJS.ErrnoException);
  }
}

/**
 * Reads the first readable `AccountErased` of an account, because the log may contain two of these events after a crash
 * during an erasure.
 */
async function firstErasure(log: Pick<EventLog, 'readStream'>, account: string) {
  for await (const event of log.readStream(accountStream(account), { absent: 'empty' })) {
    const erasure = erasureIn(event);
    if (erasure) return erasure;
  }
  return undefined;
}

/**
 * The erasure that an event records; undefined for other events. Also undefined for an event that another tool wrote
 * without a moment or an actor. `charter verify --all` reports events without a moment or an actor.
 */
function erasureIn(event: StoredEvent): Omit<Erasure, 'store'> | undefined {
  if (event.type !== 'AccountErased' || !contentOf(event)) return undefined;
  const { at, actor } = metadataOf(event) as Readonly<{ at?: Moment; actor?: Partial<Erasure['by']> | null }>;
  if (typeof at !== 'string' || typeof actor?.kind !== 'string' || typeof actor.id !== 'string') return undefined;
  const by = { kind: actor.kind, id: actor.id };
  return { account: event.stream.slice(accountStream('').length), erased: at, by, event: event.id };
}
