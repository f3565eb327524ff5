import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Moment } from '@charter/decider';
import type { Database, HistorySnapshot } from '@charter/database';
import { type EventLog, metadataOf } from '@charter/event-log';
import { chainFrom } from '@charter/integrity';
import { type OrganizationDraft, stateVersion } from '@charter/organization';
import { LRUCache } from 'lru-cache';
import { entriesIn, type FoldedSnapshot } from './folded-snapshots';

/**
 * Folded states in the database, which all processes share and which survive a restart. A process uses a stored state
 * only if its keyed hash is right, and if the log still has the state's last event with the same hash. A stored state
 * saves only time: without it, the process folds the same state from the events.
 */
export type StoredSnapshots = Readonly<{
  /** The newest usable state in a range of revisions; undefined also while the database does not answer. */
  newest: (
    stream: string,
    range: Readonly<{ after: number; until: number; valid?: Moment | undefined }>,
  ) => Promise<FoldedSnapshot | undefined>;
  /**
   * Collects the states of one replay. Undefined if this process does not write states.
   * @param origin where the verification of the chain begins
   */
  collector: (stream: string, last: number, origin: FoldedSnapshot['origin']) => SnapshotCollector | undefined;
  /** Removes the states of a stream whose log was replaced. */
  invalidate: (stream: string) => void;
  /** The number of stored states that this process has refused and removed. */
  refused: () => number;
  /** Resolves when all writes that have begun are finished. */
  settled: () => Promise<void>;
  /** Stops unfinished writes; resolves when the process writes no more. */
  close: () => Promise<void>;
}>;

type SnapshotCollector = Readonly<{
  take: (snapshot: FoldedSnapshot) => void;
  /** In the background, verifies the chain from the origin, and then writes the collected states. */
  store: () => void;
}>;

/** The minimum number of events between two stored states. */
const STORE_EVERY = 1_000;
/** The maximum number of stored states of one stream. */
const STATES_MAX = 64;
/** The maximum size of the stored states of one stream, in entries of lists; an entry takes some 300 bytes. */
const ENTRIES_MAX = 40_000;
/** The number of streams for which a process remembers the end of the stored states. */
const STREAMS_MAX = 1_000;

type StoredSnapshotsOptions = Readonly<{ key: KeyObject; writes: boolean; every?: number }>;

export function createStoredSnapshots(
  {
    log,
    database: { historySnapshots: table },
  }: Readonly<{ log: EventLog; database: Pick<Database, 'historySnapshots'> }>,
  { key, writes, every = STORE_EVERY }: StoredSnapshotsOptions,
): StoredSnapshots {
  /** For each stream, the number of events up to the last state that this process has stored or found. */
  const storedEnd = new LRUCache<string, number>({ max: STREAMS_MAX });
  const writing = new Set<Promise<void>>();
  let refused = 0;
  let isClosed = false;

  const settled = async () => {
    await Promise.all(writing);
  };
  const inBackground = (work: () => Promise<void>) => {
    // A failed write only costs time later: the next long replay writes the states again.
    const done = work()
      .catch(() => undefined)
      .finally(() => writing.delete(done));
    writing.add(done);
  };
  const refuse = (remove: () => Promise<void>, stream: string) => {
    refused += 1;
    storedEnd.delete(stream);
    inBackground(remove);
  };

  const hashAt = async (stream: string, revision: number) => {
    for await (const event of log.readStream(stream, { from: BigInt(revision), maxCount: 1, absent: 'empty' }))
      return metadataOf(event).hash;
    return undefined;
  };

  /** Whether the events up to the last of these states are a valid chain that contains the last event of each state. */
  const areInChain = async (
    stream: string,
    snapshots: readonly HistorySnapshot[],
    chain: ReturnType<typeof chainFrom>,
  ) => {
    const hashes = new Map(snapshots.map(({ revision, hash }) => [revision, hash]));
    const maxCount = snapshots.at(-1)!.revision + 1 - chain.events();
    for await (const event of log.readStream(stream, { from: BigInt(chain.events()), maxCount, absent: 'empty' })) {
      if (isClosed || chain.follow(event) !== undefined) return false;
      const hash = hashes.get(Number(event.revision));
      if (hash !== undefined && hash !== chain.head()) return false;
    }
    return chain.events() === snapshots.at(-1)!.revision + 1;
  };

  return {
    newest: async (stream, { after, until, valid }) => {
      try {
        for (let last = until; ;) {
          const found = await table.newest(stream, { version: stateVersion, after, until: last, valid });
          if (!found) return undefined;
          if (!isProven(key, found)) {
            refuse(() => table.remove(found), stream);
            last = found.revision - 1;
            continue;
          }
          if ((await hashAt(stream, found.revision)) !== found.hash) {
            refuse(() => table.removeAll(stream), stream);
            return undefined;
          }
          storedEnd.set(stream, Math.max(storedEnd.get(stream) ?? 0, found.revision + 1));
          return snapshotOf(found);
        }
      } catch {
        return undefined;
      }
    },
    collector: (stream, last, origin) => {
      if (!writes) return undefined;
      const rows: HistorySnapshot[] = [];
      let distance = every;
      return {
        take: (snapshot) => {
          const { revision, state } = snapshot.folded;
          distance = distanceFor(state, last, every);
          if (revision === 0 || revision % distance !== 0) return;
          if (revision >= (storedEnd.get(stream) ?? 0)) rows.push(rowOf(key, stream, snapshot));
        },
        store: () => {
          const kept = rows.filter(({ revision }) => revision % distance === 0);
          if (kept.length === 0 || isClosed) return;
          inBackground(async () => {
            const chain = chainFrom(stream, origin);
            if (!(await areInChain(stream, kept, chain))) return;
            await table.store(stream, stateVersion, kept, distance);
            storedEnd.set(stream, chain.events());
          });
        },
      };
    },
    invalidate: (stream) => refuse(() => table.removeAll(stream), stream),
    refused: () => refused,
    settled,
    close: () => {
      isClosed = true;
      return settled();
    },
  };
}

/**
 * The distance in events between two stored states. The distance doubles as the history grows: each longer distance
 * keeps every second state. So a stream never has more than the permitted states.
 */
function distanceFor(state: OrganizationDraft, last: number, every: number): number {
  const most = Math.min(STATES_MAX, Math.max(1, Math.floor(ENTRIES_MAX / entriesIn(state))));
  let distance = every;
  while (last / distance > most) distance *= 2;
  return distance;
}

function rowOf(key: KeyObject, stream: string, { folded, hash, inForceBy }: FoldedSnapshot): HistorySnapshot {
  const { revision, at, state } = folded;
  const row = { stream, version: stateVersion, revision, hash, at, inForceBy, state: JSON.stringify(state) };
  return { ...row, proof: proofOf(key, row) };
}

const snapshotOf = ({ state, revision, at, hash, inForceBy }: HistorySnapshot): FoldedSnapshot => ({
  folded: { state: JSON.parse(state) as OrganizationDraft, revision, at },
  ...{ hash, inForceBy, origin: { events: revision + 1, head: hash } },
});

type Unproven = Omit<HistorySnapshot, 'proof'>;
const proofOf = (key: KeyObject, { stream, version, revision, hash, at, inForceBy, state }: Unproven): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([stream, version, revision, hash, at, inForceBy, state]))
    .digest('hex');

function isProven(key: KeyObject, snapshot: HistorySnapshot): boolean {
  const [proof, expected] = [Buffer.from(snapshot.proof), Buffer.from(proofOf(key, snapshot))];
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}
