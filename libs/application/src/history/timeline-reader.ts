import type { Folded } from '@charter/decider';
import { lastEventOf } from '@charter/event-log';
import { type Organization, organizationStream } from '@charter/organization';
import { continueTimeline, emptyTimeline, type TimelineRecord } from '@charter/organization-view';
import { LRUCache } from 'lru-cache';
import type { Charter } from '../charter';
import { copiedSnapshot, entriesIn, type FoldedSnapshot } from './snapshots/folded-snapshots';
import { isReplaced } from './snapshots/snapshot-replay';

/**
 * The timeline record of a whole history, and the state after the last event. The caller must not change the returned
 * state.
 */
export type ReadTimeline = Readonly<{ record: TimelineRecord; current: Folded<Organization> }>;

/**
 * Reads the timeline records of histories. The reader caches the records, and reads only the events after a cached
 * record. The reader does not use event notes, because a record also needs the folded state after each event.
 */
export type TimelineReader = Readonly<{
  /**
   * Undefined if the organization does not exist.
   * @throws UnreadableStream; the reason of `gone`
   */
  read: (id: string, gone?: AbortSignal) => Promise<ReadTimeline | undefined>;
  /** The number of events that `read` would read. */
  distance: (id: string) => Promise<number>;
}>;

/** The maximum size in bytes of all cached records and their states. */
const CACHED_BYTES_MAX = 64 * 1024 * 1024;

type Cached = Readonly<{ record: TimelineRecord; snapshot: FoldedSnapshot }>;

export function createTimelineReader({
  organizations,
  log,
  snapshotReplay: { replayAfter },
}: Pick<Charter, 'organizations' | 'log' | 'snapshotReplay'>): TimelineReader {
  const cache = new LRUCache<string, Cached>({ maxSize: CACHED_BYTES_MAX, sizeCalculation: bytesOf });

  /**
   * Continues a record up to a revision. The call does not change the cached record, so several calls can continue the
   * same record.
   */
  const readFrom = async (cached: Cached | undefined, stream: string, to: number, gone: AbortSignal | undefined) => {
    const builder = continueTimeline(cached?.record ?? emptyTimeline);
    const snapshot = await replayAfter(
      stream,
      { start: cached && copiedSnapshot(cached.snapshot), to },
      (event, _before, fold) => builder.take(event, fold()),
      gone,
    );
    return { record: builder.end(), snapshot: snapshot! };
  };

  const readNow = async (stream: string, gone: AbortSignal | undefined): Promise<Cached | undefined> => {
    const last = await lastEventOf(log, stream);
    if (!last) return undefined;
    const revision = Number(last.revision);
    const cached = cache.get(stream);
    const reached = cached?.snapshot.folded.revision ?? -1;
    if (reached === revision && cached?.snapshot.hash === (last.metadata as { hash?: string } | undefined)?.hash)
      return cached;
    const read = await readFrom(reached < revision ? cached : undefined, stream, revision, gone).catch(
      (error: unknown) => {
        if (!isReplaced(error)) throw error;
        return readFrom(undefined, stream, revision, gone);
      },
    );
    cache.set(stream, read);
    return read;
  };

  return {
    read: async (id, gone) => {
      const read = await readNow(organizationStream(id), gone);
      return read && { record: read.record, current: read.snapshot.folded };
    },
    distance: async (id) => {
      const stream = organizationStream(id);
      const head = await organizations.query(stream, ({ revision }) => revision);
      return head - (cache.get(stream)?.snapshot.folded.revision ?? -1);
    },
  };
}

/** The approximate size in bytes of a record and of the state after the record's last event. */
function bytesOf({ record, snapshot }: Cached): number {
  const lanes = record.over.reduce((sum, { peaks }) => sum + 100 + 50 * peaks.length, 0);
  return 25 * record.events + lanes + 300 * entriesIn(snapshot.folded.state);
}
