import { setTimeout as pause } from 'node:timers/promises';
import { type Folded, type Immutable, type Moment, momentAt } from '@charter/decider';
import { deadlineFromNow, type HistoryPoint } from '@charter/aggregates';
import type { Position } from '@charter/event-log';
import { organizationStream, type Organization } from '@charter/organization';
import type { OrganizationQuery } from '@charter/organization-view';
import { tagOf } from '@charter/organization-view';
import { type Charter, createStateReader } from '@charter/application';
import { currentStamp, stampedCache } from '../process/stamped-cache';
import { createTurns } from '../process/work/turns';
import { createAcknowledgedRevisions } from './acknowledged-revisions';
import type { Asker, Gate } from '../http/admission/gate';
import { retryLater } from '../http/problems/problem';

/** The point in time of a query: now, or the history up to a revision or a moment. */
export type QueryTime = Readonly<{
  asOf?: HistoryPoint | undefined;
  /**
   * The query is about the state in force at this moment, according to the events up to `asOf` (`decisions.md` 24).
   */
  valid?: Moment | undefined;
  /** The answer must include at least this revision. */
  atLeast?: number | undefined;
}>;
export type TaggedAnswer<Answer> = Readonly<{ answer: Answer; tag: string }>;

/** Whether the query is about the past, which only auditors may read. */
export const isPast = ({ asOf, valid }: QueryTime): boolean => asOf !== undefined || valid !== undefined;

/** Answers queries from the read model, and from the stream if the read model lags. */
export type OrganizationReader = Readonly<{
  /**
   * Answers a query; undefined if the organization does not exist, or did not exist at that point in time. A read of a
   * long history may need a slot of the gate. All reads of the event log share the request's deadline
   * (`deadlineFromNow`).
   * @throws ProblemError 503 `not-yet`, UnknownRevision, and the errors of the gate
   */
  query: <Answer>(
    id: string,
    question: OrganizationQuery<Answer>,
    when: QueryTime,
    asker: Asker,
    deadline?: number,
  ) => Promise<TaggedAnswer<Answer> | undefined>;
  /** The newest revision of a stream, synchronously; undefined if this process cannot read it synchronously. */
  revisionSync: (stream: string) => number | undefined;
  /** Checks that the read model belongs to this log. @throws ProblemError 503 `not-yet` */
  mustBeTrusted: () => void;
  /**
   * Records that a write up to `revision` was acknowledged. Every later answer of this process includes the
   * acknowledged revision.
   */
  acknowledged: (id: string, revision: number, at?: Position) => void;
  /** Records that the read model contains these revisions. */
  committed: (revisions: ReadonlyMap<string, number>) => void;
}>;

export type ReadModelStatus = Readonly<{
  /**
   * Whether the read model belongs to this log. If the read model belongs to another log, the process answers from the
   * streams.
   */
  isTrusted: () => boolean;
  /** The position in the log up to which the read model contains all events. */
  position: () => Position;
}>;

/**
 * The number of events above which a query of a history needs a slot of the gate. The SQLite log returns this many
 * events in two pages.
 */
export const LONG_EVENTS = 1_000;

/** The maximum number of milliseconds for which a read waits for `atLeast` (`api.md`). */
const WAIT_MS = 2_000;

export function createOrganizationReader(
  stores: Pick<Charter, 'view' | 'log' | 'organizations' | 'snapshotReplay' | 'database'>,
  now: () => number,
  { isTrusted, position }: ReadModelStatus,
  { gate, revisionGate }: Readonly<{ gate: Gate; /** For reads that wait for a revision. */ revisionGate: Gate }>,
): OrganizationReader {
  const { view, organizations, database } = stores;
  const acknowledged = createAcknowledgedRevisions(position);
  const revisions = cachedRevisions({ view, database }, now);
  const present = () => momentAt(now());
  const answer = <Answer>(
    question: OrganizationQuery<Answer>,
    document: Folded<Immutable<Organization>>,
    at: Moment,
  ) => ({
    answer: question(document, at),
    tag: tagOf(document, at),
  });

  /** Answers a query about the present from the stream. */
  const queryStream = <Answer>(stream: string, question: OrganizationQuery<Answer>, deadline: number) =>
    organizations.query(
      stream,
      (current) => (current.state.name === '' ? undefined : answer(question, current, present())),
      deadline,
    );

  /** Whether an answer about the past needs more than `LONG_EVENTS` events; an unknown stream counts as long. */
  const isLong = async (stream: string, until: QueryTime['asOf']) => {
    if (until && 'revision' in until && until.revision < LONG_EVENTS) return false;
    const cached = organizations.cached(stream)?.revision ?? -1;
    const projected = isTrusted() ? (await view.get(stream))?.revision : undefined;
    return Math.max(cached, projected ?? Infinity) >= LONG_EVENTS;
  };

  const states = createStateReader(stores);
  const turn = createTurns();

  /**
   * Reads the state that a long history had at a point in time. The read needs a slot of the gate only if no cached
   * state is near the requested revision.
   */
  const queryLong = async (stream: string, range: Pick<QueryTime, 'asOf' | 'valid'>, asker: Asker) => {
    const { events, read } = await states.prepare(stream, { until: range.asOf, valid: range.valid });
    return events <= LONG_EVENTS ? read() : gate(asker, read);
  };

  const queryPast = async <Answer>(
    stream: string,
    question: OrganizationQuery<Answer>,
    { asOf: until, valid }: QueryTime,
    asker: Asker,
    deadline: number,
  ) => {
    await turn();
    const past = (await isLong(stream, until))
      ? await queryLong(stream, { asOf: until, valid }, asker)
      : await organizations.replay(stream, { until, valid, deadline });
    if (!past || past.state.name === '') return undefined;
    const at = valid ?? (until && 'moment' in until ? until.moment : past.at);
    return { answer: question(past, at), tag: tagOf(past, at, valid) };
  };

  const waitFor = async (
    stream: string,
    revision: number,
    deadline: number,
    gone: AbortSignal,
  ): Promise<Folded<Organization>> => {
    const end = Math.min(performance.now() + WAIT_MS, deadline);
    for (;;) {
      // Many requests can wait in this loop. To save work, the loop reads only the revision, if the store can read a
      // revision without its document.
      const reached = view.revisionSync ? view.revisionSync(stream) : (await view.get(stream))?.revision;
      const document = (reached ?? -1) >= revision ? await view.get(stream) : undefined;
      if (document) return document;
      if (performance.now() >= end)
        throw retryLater('not-yet', `The read model does not contain revision ${revision} yet.`);
      await pause(10);
      gone.throwIfAborted();
    }
  };

  return {
    query: async (id, question, when, asker, deadline = deadlineFromNow()) => {
      const stream = organizationStream(id);
      // a query about the past reads the log itself, so the answer always includes the revision `atLeast`
      if (isPast(when)) return queryPast(stream, question, when, asker, deadline);

      const { atLeast = -1 } = when;
      const least = acknowledged.of(stream);
      const asOf = database.refreshStamps && revisions.stamp();
      const document = isTrusted() ? await view.get(stream) : undefined;
      if (document && asOf !== undefined) revisions.note(stream, document.revision, asOf);
      if (document && document.revision >= Math.max(least, atLeast)) return answer(question, document, present());
      // The document is missing or too old: the projector lags or has parked the stream, or the organization does not
      // exist.
      if (atLeast <= least || !isTrusted()) return queryStream(stream, question, deadline);
      const exists = document ?? (await queryStream(stream, () => true, deadline));
      if (!exists) return undefined;
      const reached = await revisionGate(asker, (gone) => waitFor(stream, atLeast, deadline, gone));
      return answer(question, reached, present());
    },
    revisionSync: (stream) => {
      const revision = isTrusted() ? revisions.of(stream) : undefined;
      return revision === undefined || revision < acknowledged.of(stream) ? undefined : revision;
    },
    mustBeTrusted: () => {
      if (!isTrusted()) throw retryLater('not-yet', 'The read model must be rebuilt before it can answer.', 5);
    },
    acknowledged: (id, revision, at) => acknowledged.add(organizationStream(id), revision, at),
    committed: (reached) => {
      revisions.invalidate();
      acknowledged.confirm(reached);
    },
  };
}

/**
 * Caches the revisions of documents until any process changes a document. With PostgreSQL, `note` adds each revision
 * that a query has read; with SQLite, the cache reads missing revisions itself.
 */
function cachedRevisions({ view, database }: Pick<Charter, 'view' | 'database'>, now: () => number) {
  const { revisionSync } = view;
  const revisions = stampedCache<number>(currentStamp(view.stampSync, database), { max: CACHED_REVISIONS_MAX, now });

  const read = (stream: string) => {
    const asOf = revisions.stamp();
    const revision = revisionSync?.(stream);
    if (revision !== undefined) revisions.set(stream, revision, asOf);
    return revision;
  };
  return {
    of: (stream: string): number | undefined => revisions.get(stream) ?? read(stream),
    stamp: revisions.stamp,
    note: (stream: string, revision: number, asOf: ReturnType<typeof revisions.stamp>) =>
      revisions.set(stream, revision, asOf),
    invalidate: revisions.clear,
  };
}
const CACHED_REVISIONS_MAX = 50_000;
