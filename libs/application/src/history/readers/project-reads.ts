import type { Moment } from '@charter/decider';
import type { Database, HistoryRead } from '@charter/database';
import {
  contentOf,
  EMPTY_LOG_POSITION,
  type EventLog,
  metadataOf,
  type Position,
  type ProjectionCheckpoint,
  readSince,
  type StoredEvent,
} from '@charter/event-log';
import { type AccountFact, accountStream, auditFactFlaw, type KeyFact, keyStream } from '@charter/identity';
import { organizationStream, words } from '@charter/organization';
import { lastOf, validCheckpoint } from '../../restore-detection/events-since';

/** The prefixes of the names of the audit streams of accounts and API keys. */
export const readerPrefixes: readonly string[] = [accountStream(''), keyStream('')];

/** The scope of a read of all histories, by a person with a platform role or by an API key. */
export const ALL_HISTORIES = 'all';

/** Keeps the list of readers up to date with the audit streams. */
export type ReadsProjector = Readonly<{
  /**
   * Adds the reads that were recorded since the last call of this function in any process. If another log has replaced
   * this log, or an older copy of this log was restored, first deletes all reads. Stops between two batches when
   * `stopping` returns true.
   */
  catchUp: (stopping?: () => boolean) => Promise<void>;
}>;

/**
 * The version of this projection. If the stored progress has another version, the projector deletes all reads and
 * projects them anew.
 */
export const READS_VERSION = 1;

/** The number of events in a batch, which one transaction stores. */
const BATCH = 500;

/**
 * The interval, in milliseconds, at which the projector stores its progress if the log has new events but no reads. The
 * stored progress saves a process that starts later from reading the same events again.
 */
const STORE_MS = 60_000;

type Stores = Readonly<{ log: EventLog; database: Pick<Database, 'historyReads'> }>;

export function createReadsProjector(
  { log, database: { historyReads } }: Stores,
  now: () => number = () => performance.now(),
): ReadsProjector {
  /** No audit stream has an event between the stored progress `after` and the position `to`. */
  let scanned: Readonly<{ after: string | undefined; to: Position }> | undefined;
  let storedAt = -Infinity;

  return {
    catchUp: async (stopping = () => false) => {
      let stored = await historyReads.progress();
      const checkpoint = await readsCheckpointIn(log, stored);
      const store = await log.identity();
      const end = await lastOf(log);
      const scannedTo = checkpoint && scanned && scanned.after === stored ? scanned.to : EMPTY_LOG_POSITION;
      const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
      const begin = position > scannedTo ? position : scannedTo;
      if (!end || end.position <= begin) return;

      const storeBatch = async (batch: readonly StoredEvent[], last: StoredEvent): Promise<boolean> => {
        const lastEvent = { position: last.position, id: last.id };
        const to = JSON.stringify({ version: READS_VERSION, store, position: last.position, lastEvent });
        const anew = checkpoint === undefined && isFirst;
        const isStored = await historyReads.commit({ from: stored, to, anew, ...(await folded(historyReads, batch)) });
        [stored, storedAt, isFirst] = [to, now(), false];
        return isStored;
      };
      let isFirst = true;
      let batch: StoredEvent[] = [];
      for await (const event of readSince(log, begin, readerPrefixes)) {
        if (event.position <= begin) continue;
        if (batch.push(event) < BATCH) continue;
        if (stopping() || !(await storeBatch(batch, event))) return;
        batch = [];
      }
      const last = batch.at(-1);
      const isWorthStoring = last !== undefined || !checkpoint || now() - storedAt >= STORE_MS;
      if (isWorthStoring) await storeBatch(batch, last && last.position > end.position ? last : end);
      else scanned = { after: stored, to: end.position };
    },
  };
}

/**
 * Parses stored progress. Undefined if no progress is stored, or if the progress belongs to another log or another
 * version.
 */
export async function readsCheckpointIn(
  log: EventLog,
  stored: string | undefined,
): Promise<ProjectionCheckpoint | undefined> {
  if (stored === undefined || (JSON.parse(stored) as { version?: number }).version !== READS_VERSION) return undefined;
  return validCheckpoint(log, stored);
}

/** The reads and the changed platform roles in a batch of audit events. */
async function folded(historyReads: Database['historyReads'], batch: readonly StoredEvent[]) {
  const facts = batch.flatMap((event) => factIn(event) ?? []);
  const accounts = facts.flatMap(({ kind, id }) => (kind === 'account' ? [id] : []));
  const known = new Map(await historyReads.rolesOf([...new Set(accounts)]));
  const roles = new Map<string, HistoryRead['role'] | undefined>();
  const reads: HistoryRead[] = [];
  for (const { kind, id, at, fact } of facts) {
    if (fact.type === 'RoleAssigned') {
      known.set(id, fact.data.role);
      roles.set(id, fact.data.role);
    }
    if (fact.type === 'AccountErased') {
      known.delete(id);
      roles.set(id, undefined);
    }
    if (!isReading(fact)) continue;
    const role = kind === 'key' ? null : (known.get(id) ?? null);
    const scope =
      fact.type !== 'ChangesRead'
        ? organizationStream(fact.data.organization)
        : kind === 'key' || role !== null
          ? ALL_HISTORIES
          : accountStream(id);
    reads.push({ scope, at, kind, reader: id, did: deeds[fact.type], role });
  }
  return { reads, roles };
}

const deeds = { HistoryRead: 'read', HistoryExported: 'exported', ChangesRead: 'followed' } as const;
type Fact = AccountFact | KeyFact;
const isReading = (fact: Fact): fact is Extract<Fact, { type: keyof typeof deeds }> => fact.type in deeds;

/** The fact of an audit event; undefined if the event cannot be read, because another tool wrote it. */
function factIn(event: StoredEvent) {
  const { stream, type } = event;
  const [content, { at }] = [contentOf(event), metadataOf(event)];
  const moment = words.When.safeParse(at);
  const fact = { type, data: content?.data } as Fact;
  if (!content || !moment.success || auditFactFlaw(fact)) return undefined;
  const kind: HistoryRead['kind'] = stream.startsWith(accountStream('')) ? 'account' : 'key';
  const id = stream.slice(kind === 'account' ? accountStream('').length : keyStream('').length);
  return { kind, id, at: moment.data satisfies Moment, fact };
}
