import { hash as digest } from 'node:crypto';
import { canonicalText } from '../canonical';
import { LogError } from '@charter/event-log';
import type { StoredEvent } from '@charter/event-log';

/**
 * The checksum of a whole log. If two logs have equal checksums, they contain the same events at the same revisions in
 * the same order.
 */
export type LogChecksum = Readonly<{ events: number; streams: number; hash: string }>;

type Counted = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>;

/**
 * Computes the checksum event by event. Each hash covers the previous hash. Keeps one entry for each stream in memory.
 */
export function checksumBuilder() {
  const streams = new Map<string, bigint>();
  let hash = digest('sha256', '');
  let events = 0;
  return {
    /** @throws LogError `internal` if an earlier event of the stream is missing */
    add: ({ stream, revision, id, type, data, metadata }: Counted) => {
      const last = streams.get(stream) ?? -1n;
      if (revision !== last + 1n) throw new LogError('internal', `Event ${last + 1n} of ${stream} is missing.`);
      const text = canonicalText({ id, type, data, ...(metadata !== undefined && { metadata }) });
      streams.set(stream, revision);
      hash = digest('sha256', `${hash}${stream} ${revision} ${text}\n`);
      events += 1;
    },
    events: () => events,
    /** The revision of the next event of a stream. */
    next: (stream: string): bigint => (streams.get(stream) ?? -1n) + 1n,
    sum: (): LogChecksum => ({ events, streams: streams.size, hash }),
  };
}
