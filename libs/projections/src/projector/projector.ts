import { type Folded, type Message, momentAt } from '@charter/decider';
import type { EditionChange, Edition, Lease, ParkedStream, EditionCursor, EditionStatus } from '../document-store';
import { foldBatch, type PoisonEvent } from './fold-batch';
import { type Delivery, type EventLog, isLogError } from '@charter/event-log';
import { LRUCache } from 'lru-cache';
import type { ProjectionState } from './projection-state';
import { refold } from './refold';
import type { View } from '../view';
import type { PoisonAlarm, ProjectionOptions } from './projection-options';

/** The inputs of a projector, which keeps one edition up to date in this process. */
export type ProjectorContext<Draft, Event extends Message> = Readonly<{
  log: EventLog;
  edition: Edition<Draft>;
  view: View<Draft, Event>;
  options: ProjectionOptions & Readonly<{ lease: Lease; now: () => number; elapsed: () => number }>;
  signal: AbortSignal;
  updateState: (change: Partial<ProjectionState>) => void;
}>;

/** The steps of a projector: folding a batch, and folding parked streams again. */
export function projectorSteps<Draft, Event extends Message>(
  { log, edition, view, options, updateState }: ProjectorContext<Draft, Event>,
  status: EditionStatus,
  identity: string,
) {
  const { elapsed, onCommitted = () => undefined, documentsKept = 2_000 } = options;
  const cached = new LRUCache<string, Folded<Draft>>({ max: documentsKept });
  const parking = parkingOf(view.name, status.parked, options);
  let cursor: EditionCursor = { checkpoint: status.checkpoint, commits: status.commits };
  let caughtUp = false;

  const commit = async (change: Omit<EditionChange<Draft>, 'from'>) => {
    await edition.commit({ from: cursor, ...change });
    cursor = { checkpoint: change.to, commits: cursor.commits + 1 };
    parking.settle(change);
    updateState({ checkpoint: change.to, parked: parking.all(), movedAt: elapsed() });
    if (change.documents.size > 0) onCommitted(revisionsOf(change.documents));
  };
  /**
   * Returns the documents of a batch's streams: the cached documents, and all other documents by one query to the
   * store.
   */
  const known = async (batch: readonly Delivery[]) => {
    const streams = new Set(batch.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event.stream] : [])));
    const uncached = [...streams].filter((stream) => !cached.get(stream) && !parking.has(stream));
    const stored = uncached.length > 0 ? await edition.getMany(uncached) : new Map<string, Folded<Draft>>();
    return { get: (stream: string) => cached.get(stream) ?? stored.get(stream) };
  };
  const take = async (batch: readonly Delivery[]) => {
    const before = { identity, checkpoint: cursor.checkpoint, known: await known(batch), parked: parking };
    const { to, documents, rows, poison, caughtUp: atTheEnd } = foldBatch(view, batch, before);
    if (to && to !== cursor.checkpoint) await commit({ to, documents, rows, parked: parking.countFailures(poison) });
    for (const [stream, document] of documents) cached.set(stream, document);
    caughtUp ||= atTheEnd;
    updateState({ caughtUp });
    return caughtUp;
  };
  const refoldParked = async (
    stream: string,
    to: NonNullable<EditionCursor['checkpoint']>,
    answered: ReadonlyMap<string, number>,
  ) => {
    const { document, row, poison } = await refold(log, edition, view, stream, to.position).catch((why: unknown) => {
      if (!isLogError(why, 'not-found') && !isLogError(why, 'deleted')) throw why;
      return { document: undefined, row: undefined, poison: parking.parkedAt(stream, why) };
    });
    const documents = new Map(document ? [[stream, document]] : []);
    const rows = new Map(row ? [[stream, row]] : []);
    cached.delete(stream); // the failed fold may have changed a part of the cached document
    const outcome = poison ? { parked: parking.countFailures(new Map([[stream, poison]])) } : { unparked: [stream] };
    await commit({ to, documents, rows, ...outcome, answered });
  };
  return {
    /**
     * Folds a batch and commits the result. Returns whether the projector has reached the end of the log since its
     * start.
     */
    take,
    /** Folds the parked streams whose next retry is due, and the parked streams that an operator released. */
    repair: async (released: EditionStatus['released']) => {
      for (const stream of parking.due(released))
        if (cursor.checkpoint) await refoldParked(stream, cursor.checkpoint, released);
    },
  };
}

/** The parked streams, each with its number of attempts and the time of the next attempt. */
function parkingOf(
  view: string,
  before: ReadonlyMap<string, ParkedStream>,
  { now, elapsed, alarm }: ProjectorContext<never, never>['options'],
) {
  const parked = new Map(before);
  const dueAt = new Map(
    [...before].filter(([, wait]) => wait.attempts <= RETRIES.length).map(([stream]) => [stream, elapsed()]),
  );

  // The alarms to send after the commit: their receiver may release the stream at once, so the stream must already be
  // parked.
  const alarms = new Map<string, PoisonAlarm>();

  const countFailure = (stream: string, { event, why }: PoisonEvent): ParkedStream => {
    const { attempts, since } = parked.get(stream) ?? { attempts: 0, since: momentAt(now()) };
    const delay = RETRIES[attempts];
    if (delay === undefined) alarms.set(stream, { view, event, why, attempts: attempts + 1 });
    else dueAt.set(stream, elapsed() + delay);
    const { type, position } = event;
    const error = String(why).slice(0, ERROR_MAX);
    return { revision: Number(event.revision), type, position, error, attempts: attempts + 1, since };
  };
  return {
    has: (stream: string) => parked.has(stream),
    all: (): ReadonlyMap<string, ParkedStream> => new Map(parked),
    /** The event at which a stream is parked, because another tool has deleted the stream and no event can be read. */
    parkedAt: (stream: string, why: unknown): PoisonEvent => {
      const { revision, type, position } = parked.get(stream)!; // only parked streams are folded again
      return { event: { stream, revision: BigInt(revision), type, position }, why };
    },
    /**
     * Counts a failed attempt for each of the given streams. If the attempt was the last retry, the alarm follows after
     * the commit.
     */
    countFailures: (poison: ReadonlyMap<string, PoisonEvent>) =>
      new Map([...poison].map(([stream, reason]) => [stream, countFailure(stream, reason)])),
    settle: (change: Pick<EditionChange<never>, 'parked' | 'unparked'>) => {
      for (const stream of change.unparked ?? []) parked.delete(stream);
      for (const [stream, wait] of change.parked ?? []) parked.set(stream, wait);
      for (const each of alarms.values()) alarm(each);
      alarms.clear();
    },
    due: (released: EditionStatus['released']): string[] => {
      const due = [...dueAt].filter(([, at]) => at <= elapsed()).map(([stream]) => stream);
      for (const stream of due) dueAt.delete(stream);
      return [...new Set([...released.keys(), ...due])].filter((stream) => parked.has(stream));
    },
  };
}

const revisionsOf = (documents: ReadonlyMap<string, Folded<unknown>>) =>
  new Map([...documents].map(([stream, { revision }]) => [stream, revision]));

/**
 * The delay in milliseconds before each retry of a parked stream (`event-log.md` D3). After the last retry the stream
 * stays parked until an operator releases it.
 */
const RETRIES = [100, 500, 2_000];

/** The maximum number of characters of an error that Charter stores. */
const ERROR_MAX = 2_000;
