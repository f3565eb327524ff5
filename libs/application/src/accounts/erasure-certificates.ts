import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metadata } from '@charter/decider';
import { type EventLog, isLogError, type StoredEvent } from '@charter/event-log';
import type { Signer } from '@charter/integrity';
import { accountStream } from '@charter/identity';
import { certificateOf } from './erasure-certificate';
import type { Settings } from '@charter/settings';

/** Certificates of erasures. They follow from the log and the key, so the same one can be had again at any time. */
export type CertificateStore = Readonly<{
  /** Of one account; undefined: the log knows of no erasure. */
  of: (account: string) => Promise<string | undefined>;
  /** Puts the certificate where a restore of older stores does not reach it, if these stores have such a place. */
  keep: (account: string) => Promise<void>;
  /** All that the log knows of; `read` hears how many events of accounts were looked at. */
  all: (read?: (events: number) => void) => AsyncIterable<Readonly<{ account: string; certificate: string }>>;
}>;

/** Beside the embedded tables, one file for each account. */
export const erasuresFolder = (data: string): string => join(data, 'erasures');

export function certificateStore(
  log: Pick<EventLog, 'readStream' | 'readAll' | 'identity'>,
  signer: Signer,
  settings: Pick<Settings, 'data' | 'documentsServer'>,
): CertificateStore {
  const certified = async ({ stream, id, metadata }: StoredEvent) => {
    const { at, actor } = metadata as Metadata;
    const account = stream.slice(accountStream('').length);
    const erasure = { store: await log.identity(), account, erased: at, by: actor, event: id };
    return certificateOf(erasure, signer);
  };
  const of = async (account: string) => {
    const event = await erasedIn(log, account);
    return event && certified(event);
  };
  return {
    of,
    keep: async (account) => {
      if (settings.documentsServer) return;
      const certificate = await of(account);
      if (certificate === undefined) return;
      writeCertificate(erasuresFolder(settings.data), account, certificate, 'over another'); // of another key, or no certificate
    },
    all: async function* (read = () => undefined) {
      let events = 0;
      const told = new Set<string>();
      for await (const event of log.readAll({ streamPrefixes: [accountStream('')] })) {
        read((events += 1));
        if (event.type !== 'AccountErased' || told.has(event.stream)) continue;
        told.add(event.stream);
        yield { account: event.stream.slice(accountStream('').length), certificate: await certified(event) };
      }
    },
  };
}

/** Which file it is, and what was there: nothing, the same, or something else, which stays unless it is written over. */
export function writeCertificate(folder: string, account: string, certificate: string, over?: 'over another') {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${account}.erasure`);
  const write = (flag: 'w' | 'wx') => writeFileSync(file, certificate, { flag, mode: 0o600, flush: true });
  try {
    write('wx');
    return { file, before: 'nothing' } as const;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (readFileSync(file, 'utf8') === certificate) return { file, before: 'the same' } as const;
  if (over) write('w');
  return { file, before: 'another' } as const;
}

/** The first `AccountErased` of an account: whoever died while erasing may have told it twice. */
async function erasedIn(log: Pick<EventLog, 'readStream'>, account: string): Promise<StoredEvent | undefined> {
  try {
    for await (const event of log.readStream(accountStream(account))) if (event.type === 'AccountErased') return event;
  } catch (error) {
    if (!isLogError(error, 'not-found')) throw error;
  }
  return undefined;
}
