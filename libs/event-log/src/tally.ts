import { hash as digest } from 'node:crypto';
import { canonicalText } from './canonical';
import { LogError } from './errors';
import type { StoredEvent } from './port';

/** What a whole log amounts to: equal sums mean the same events at the same revisions of the same streams. */
export type Sum = Readonly<{ events: number; streams: number; hash: string }>;

/** Adds up events, stream by stream: the order of streams among each other does not count. Memory: a line for each stream. */
export function tallied() {
  const streams = new Map<string, { hash: string; last: bigint }>();
  let events = 0;
  return {
    /** @throws LogError `internal` when an event is missing before it */
    add: ({
      stream,
      revision,
      id,
      type,
      data,
      metadata,
    }: Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>) => {
      const { hash, last } = streams.get(stream) ?? { hash: '', last: -1n };
      if (revision !== last + 1n) throw new LogError('internal', `Event ${last + 1n} of ${stream} is missing.`);
      const text = canonicalText({ id, type, data, ...(metadata !== undefined && { metadata }) });
      streams.set(stream, { hash: digest('sha256', `${hash}${text}\n`), last: revision });
      events += 1;
    },
    events: () => events,
    /** The revision that the next event of a stream has. */
    next: (stream: string): bigint => (streams.get(stream)?.last ?? -1n) + 1n,
    sum: (): Sum => {
      const heads = [...streams.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
      let all = '';
      for (const [name, { hash, last }] of heads) all = digest('sha256', `${all}${name} ${last} ${hash}\n`);
      return { events, streams: streams.size, hash: all === '' ? digest('sha256', '') : all };
    },
  };
}
