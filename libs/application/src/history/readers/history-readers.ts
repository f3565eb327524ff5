import type { Moment } from '@charter/decider';
import type { HistoryRead, ReadPlace, ReadRange } from '@charter/database';
import { accountStream } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { type Lag, lagMonitor } from '@charter/projections';
import type { Charter } from '../../charter';
import {
  auditingHours,
  auditingRoleAt,
  type AuditingTerms,
  createAuditingTermsReader,
  endOfHour,
  LAST,
  startOfHour,
} from './auditing-terms';
import { ALL_HISTORIES, readsCheckpointIn, readerPrefixes } from './project-reads';

/** An entry in the list of readers: who read the history within one hour, and how. */
export type HistoryReaderEntry = Pick<HistoryRead, 'at' | 'kind' | 'reader' | 'did'> &
  Readonly<{
    /** The reader's role at the time of the read; undefined if no event recorded the role. */
    as: 'owner' | 'admin' | 'auditor' | 'operator' | 'key' | undefined;
    /** Whether the reader is or was a member of the organization. */
    isOrWasMember: boolean;
  }>;

/**
 * A page of readers, newest first. `next` identifies the last entry, after which the next page begins; undefined on the
 * last page.
 */
type HistoryReadersPage = Readonly<{
  readers: readonly HistoryReaderEntry[];
  next: ReadPlace | undefined;
}>;

type HistoryReadersQuery = Readonly<{
  /** The query covers the whole hours that contain `from` and `to`, because reads are recorded once an hour. */
  from?: Moment | undefined;
  to?: Moment | undefined;
  beyond?: ReadPlace | undefined;
  limit: number;
}>;

/** Lists the readers of an organization's history. */
export type HistoryReaders = Readonly<{
  /** Undefined if the organization does not exist. @throws UnreadableStream; the reason of `gone` */
  read: (id: string, query: HistoryReadersQuery, gone?: AbortSignal) => Promise<HistoryReadersPage | undefined>;
  /** The number of events of the organization that `read` would read. */
  distance: (id: string) => Promise<number>;
  /** How far the list lags behind the log. @param now milliseconds since 1970 */
  lag: (now: number) => Promise<Lag>;
}>;

/** Combines the projected reads with the periods in which members could audit the organization. */
export function createHistoryReaders({
  log,
  organizations,
  database: { historyReads },
}: Pick<Charter, 'log' | 'organizations' | 'database'>): HistoryReaders {
  const terms = createAuditingTermsReader({ log, organizations });
  const monitor = lagMonitor(log, readerPrefixes);
  return {
    distance: terms.distance,
    read: async (id, query, gone) => {
      const auditing = await terms.read(id, gone);
      if (!auditing) return undefined;
      const { beyond, limit } = query;
      const found = await historyReads.page(rangesOf(id, auditing, query), { beyond, limit: limit + 1 });
      const readers = found.slice(0, limit).map((each) => entryOf(each, auditing));
      const last = readers.at(-1);
      return { readers, next: last && found.length > limit ? last : undefined };
    },
    lag: async (now) => {
      const checkpoint = await readsCheckpointIn(log, await historyReads.progress());
      await monitor.measure(checkpoint);
      return monitor.at(checkpoint?.position ?? '', now);
    },
  };
}

/**
 * The ranges of recorded reads that concern this organization. The ranges cover the reads of the organization's own
 * history, and the reads of all histories (`ALL_HISTORIES`) since the organization's founding. Each member's reads of
 * the feed of several organizations also count, in the hours in which the member could audit this organization.
 */
function rangesOf(id: string, { founded, of }: AuditingTerms, { from, to }: HistoryReadersQuery): readonly ReadRange[] {
  const ranges: ReadRange[] = [
    { scope: organizationStream(id), from: FIRST, to: LAST },
    { scope: ALL_HISTORIES, from: startOfHour(founded), to: LAST },
  ];
  for (const [account, terms] of of)
    for (const hours of auditingHours(terms)) ranges.push({ scope: accountStream(account), ...hours });
  const [first, last] = [from === undefined ? FIRST : startOfHour(from), to === undefined ? LAST : endOfHour(to)];
  return ranges.flatMap((range) => {
    const within = {
      ...range,
      from: range.from > first ? range.from : first,
      to: range.to < last ? range.to : last,
    };
    return within.from <= within.to ? [within] : [];
  });
}

const FIRST: Moment = '0001-01-01T00:00:00.000Z';

function entryOf({ at, kind, reader, did, role }: HistoryRead, { of }: AuditingTerms): HistoryReaderEntry {
  const as = kind === 'key' ? 'key' : (auditingRoleAt(of.get(reader) ?? [], at) ?? role ?? undefined);
  return { at, kind, reader, did, as, isOrWasMember: of.has(reader) };
}
