import { setTimeout as pause } from 'node:timers/promises';
import type { Folded, Immutable, Moment } from '@charter/decider';
import type { HistoryPoint } from '@charter/aggregates';
import type { Position } from '@charter/event-log';
import { organizationStream, type Organization } from '@charter/organization';
import type { OrganizationQuery } from '@charter/organization-view';
import { tagOf } from '@charter/organization-view';
import type { Charter } from '@charter/application';
import { oncePerTick } from '../process/once-per-tick';
import { createAcknowledgedRevisions } from './acknowledged-revisions';
import type { Asker, Gate } from '../http/admission/gate';
import { retryLater } from '../http/problems/problem';

/** When a question is about: the present, or the past as it was recorded by a revision or a moment. */
export type QueryTime = Readonly<{
  asOf?: HistoryPoint | undefined;
  /** What was in force at this moment, by what was recorded by `asOf` (`decisions.md` 24). */
  valid?: Moment | undefined;
  /** The read model must have seen this revision. */
  atLeast?: number | undefined;
}>;
export type TaggedAnswer<Answer> = Readonly<{ answer: Answer; tag: string }>;

/** Whether it is about what was, which is for those who may audit. */
export const isPast = ({ asOf, valid }: QueryTime): boolean => asOf !== undefined || valid !== undefined;

/** Where answers come from: the read model, and the stream where the read model is not there yet. */
export type OrganizationReader = Readonly<{
  /**
   * Undefined: there is no such organization, or there was none then. A long history is read through the gate.
   * @throws Stop 503 `not-yet`, and what the gate throws; UnknownRevision
   */
  query: <Answer>(
    id: string,
    question: OrganizationQuery<Answer>,
    when: QueryTime,
    asker: Asker,
  ) => Promise<TaggedAnswer<Answer> | undefined>;
  /** Without a promise, where the newest document is at hand; undefined: ask. */
  queryCached: <Answer>(id: string, question: OrganizationQuery<Answer>) => TaggedAnswer<Answer> | undefined;
  /** The newest revision at hand without a promise; undefined: ask. */
  revisionSync: (id: string) => number | undefined;
  /** Whether the read model belongs to this log. @throws Stop 503 `not-yet` */
  mustBeTrusted: () => void;
  /** This process has acknowledged a write that ended at `at`: from now on it is never answered without it. */
  acknowledged: (id: string, revision: number, at?: Position) => void;
  /** Documents have come this far. */
  committed: (revisions: ReadonlyMap<string, number>) => void;
}>;

export type ReadModelStatus = Readonly<{
  /** Whether the read model belongs to this log; while it does not, answers come from the streams. */
  isTrusted: () => boolean;
  /** Up to where in the log it has come, whoever projects. */
  position: () => Position;
}>;

/** A history of so many events, two pages of the log, is read for whoever asks; a longer one through the gate. */
export const LONG_EVENTS = 1_000;

/** How long a read waits for `atLeast` (`api.md`). */
const PATIENCE_MS = 2_000;

export function createOrganizationReader(
  { view, organizations }: Pick<Charter, 'view' | 'organizations'>,
  now: () => number,
  { isTrusted, position }: ReadModelStatus,
  gate: Gate,
): OrganizationReader {
  const owed = createAcknowledgedRevisions(position);
  const revisions = revisionsIn(view);
  const moment = () => new Date(now()).toISOString();
  const answer = <Answer>(
    question: OrganizationQuery<Answer>,
    document: Folded<Immutable<Organization>>,
    at: Moment,
  ) => ({
    answer: question(document, at),
    tag: tagOf(document, at),
  });

  /** From the stream itself: the present, worked out on the spot. */
  const askStream = <Answer>(stream: string, question: OrganizationQuery<Answer>) =>
    organizations.query(stream, (present) =>
      present.state.name === '' ? undefined : answer(question, present, moment()),
    );

  /** How much is read for an answer about the past, as far as that is known; who is not known counts as long. */
  const isLong = async (stream: string, until: QueryTime['asOf']) => {
    if (until && 'revision' in until && until.revision < LONG_EVENTS) return false;
    const remembered = organizations.cached(stream)?.revision ?? -1;
    const seen = isTrusted() ? (await view.get(stream))?.revision : undefined;
    return Math.max(remembered, seen ?? Infinity) >= LONG_EVENTS;
  };

  const askPast = async <Answer>(
    stream: string,
    question: OrganizationQuery<Answer>,
    { asOf: until, valid }: QueryTime,
    asker: Asker,
  ) => {
    const past = (await isLong(stream, until))
      ? await gate(asker, (gone) => organizations.replay(stream, { until, valid, signal: gone }))
      : await organizations.replay(stream, { until, valid });
    if (!past || past.state.name === '') return undefined;
    const at = valid ?? (until && 'moment' in until ? until.moment : past.at);
    return { answer: question(past, at), tag: tagOf(past, at, valid) };
  };

  const waitFor = async (stream: string, revision: number): Promise<Folded<Organization>> => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      // Asked for often, so only for the number, where that can be had alone.
      const reached = view.revisionSync ? view.revisionSync(stream) : (await view.get(stream))?.revision;
      const document = (reached ?? -1) >= revision ? await view.get(stream) : undefined;
      if (document) return document;
      if (performance.now() >= end)
        throw retryLater('not-yet', `The read model has not seen revision ${revision} yet.`);
      await pause(10);
    }
  };

  return {
    query: async (id, question, when, asker) => {
      const stream = organizationStream(id);
      if (isPast(when)) return askPast(stream, question, when, asker); // from the log itself, so `atLeast` holds

      const { atLeast = -1 } = when;

      const promised = owed.of(stream);
      const document = isTrusted() ? await view.get(stream) : undefined;
      if (document && document.revision >= Math.max(promised, atLeast)) return answer(question, document, moment());
      const exists = document ?? (await askStream(stream, () => true));
      if (exists && atLeast > promised && isTrusted())
        return answer(question, await waitFor(stream, atLeast), moment());
      return askStream(stream, question); // not there yet, parked, or not at all
    },
    queryCached: (id, question) => {
      const stream = organizationStream(id);
      const document = isTrusted() ? view.getSync?.(stream) : undefined;
      if (!document || document.revision < owed.of(stream)) return undefined;
      return answer(question, document, moment());
    },
    revisionSync: (id) => {
      const stream = organizationStream(id);
      const revision = isTrusted() ? revisions.of(stream) : undefined;
      return revision === undefined || revision < owed.of(stream) ? undefined : revision;
    },
    mustBeTrusted: () => {
      if (!isTrusted()) throw retryLater('not-yet', 'The read model must be rebuilt before it can answer.', 5);
    },
    acknowledged: (id, revision, at) => owed.add(organizationStream(id), revision, at),
    committed: (reached) => {
      revisions.forget();
      owed.confirm(reached);
    },
  };
}

/**
 * Revisions of documents, remembered until any document changes in any process: between two changes many are asked for.
 */
function revisionsIn({ revisionSync, stampSync }: Charter['view']) {
  if (!revisionSync || !stampSync) return { of: () => undefined, forget: () => undefined };
  const known = new Map<string, number>();
  const stampNow = oncePerTick(stampSync);
  let stamp = stampSync();

  const ask = (stream: string) => {
    const revision = revisionSync(stream);
    if (revision !== undefined && known.size < REVISIONS_MAX) known.set(stream, revision);
    return revision;
  };
  return {
    of: (stream: string): number | undefined => {
      if (stampNow() !== stamp) known.clear();
      stamp = stampNow();
      return known.get(stream) ?? ask(stream);
    },
    forget: () => known.clear(),
  };
}
const REVISIONS_MAX = 50_000;
