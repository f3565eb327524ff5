import type { Folded, Message } from '@charter/decider';
import type { EditionChange, Edition, Lease, ParkedStream, EditionCursor, EditionStatus } from '../document-store';
import { foldBatch, type PoisonEvent } from './fold-batch';
import type { Delivery, EventLog } from '@charter/event-log';
import { LRUCache } from 'lru-cache';
import type { ProjectionState } from './projection-state';
import { refold } from './refold';
import type { View } from '../view';
import type { PoisonAlarm, ProjectionOptions } from './projection-options';

/** One edition being kept up to date by this process. */
export type ProjectorContext<Draft, Event extends Message> = Readonly<{
  log: EventLog;
  edition: Edition<Draft>;
  view: View<Draft, Event>;
  options: ProjectionOptions & Readonly<{ lease: Lease; now: () => number }>;
  signal: AbortSignal;
  updateState: (change: Partial<ProjectionState>) => void;
}>;

/** What a projector does between two looks around: taking batches in, and folding parked streams again. */
export function projectorSteps<Draft, Event extends Message>(
  { log, edition, view, options, updateState }: ProjectorContext<Draft, Event>,
  standing: EditionStatus,
  identity: string,
) {
  const { now, onCommitted = () => undefined, documentsKept = 2_000 } = options;
  const kept = new LRUCache<string, Folded<Draft>>({ max: documentsKept });
  const parking = parkingOf(view.name, standing.parked, options);
  let place: EditionCursor = { checkpoint: standing.checkpoint, commits: standing.commits };
  let caughtUp = false;

  const commit = async (change: Omit<EditionChange<Draft>, 'from'>) => {
    await edition.commit({ from: place, ...change });
    place = { checkpoint: change.to, commits: place.commits + 1 };
    parking.settle(change);
    updateState({ checkpoint: change.to, parked: parking.all(), movedAt: now() });
    if (change.documents.size > 0) onCommitted(revisionsOf(change.documents));
  };
  /** The documents that a batch begins with: those remembered, and the others in one question to the store. */
  const known = async (batch: readonly Delivery[]) => {
    const streams = new Set(batch.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event.stream] : [])));
    const strange = [...streams].filter((stream) => !kept.get(stream) && !parking.has(stream));
    const stored = strange.length > 0 ? await edition.getMany(strange) : new Map<string, Folded<Draft>>();
    return { get: (stream: string) => kept.get(stream) ?? stored.get(stream) };
  };
  const take = async (batch: readonly Delivery[]) => {
    const before = { identity, checkpoint: place.checkpoint, known: await known(batch), parked: parking };
    const { to, documents, rows, poison, caughtUp: atTheEnd } = foldBatch(view, batch, before);
    if (to && to !== place.checkpoint) await commit({ to, documents, rows, parked: parking.setAside(poison) });
    for (const [stream, document] of documents) kept.set(stream, document);
    caughtUp ||= atTheEnd;
    updateState({ caughtUp });
    return caughtUp;
  };
  const again = async (
    stream: string,
    to: NonNullable<EditionCursor['checkpoint']>,
    answered: ReadonlyMap<string, number>,
  ) => {
    const { document, row, poison } = await refold(log, edition, view, stream, to.position);
    const documents = new Map(document ? [[stream, document]] : []);
    const rows = new Map(row ? [[stream, row]] : []);
    kept.delete(stream); // what was remembered may be half-folded
    const outcome = poison ? { parked: parking.setAside(new Map([[stream, poison]])) } : { unparked: [stream] };
    await commit({ to, documents, rows, ...outcome, answered });
  };
  return {
    /** Takes a batch in; answers whether the end of the log was seen since this began. */
    take,
    /** Folds those parked streams again whose time has come, or whom somebody released. */
    repair: async (released: EditionStatus['released']) => {
      for (const stream of parking.due(released)) if (place.checkpoint) await again(stream, place.checkpoint, released);
    },
  };
}

/** The streams that wait, how often each was tried, and when it is tried again. */
function parkingOf(
  view: string,
  before: ReadonlyMap<string, ParkedStream>,
  { now, alarm }: ProjectorContext<never, never>['options'],
) {
  const parked = new Map(before);
  const dueAt = new Map(
    [...before].filter(([, wait]) => wait.attempts <= RETRIES.length).map(([stream]) => [stream, now()]),
  );

  const lost = new Map<string, PoisonAlarm>(); // rung once it is written: whoever hears it may release the stream at once

  const setAsideOne = (stream: string, { event, why }: PoisonEvent): ParkedStream => {
    const { attempts, since } = parked.get(stream) ?? { attempts: 0, since: new Date(now()).toISOString() };
    const delay = RETRIES[attempts];
    if (delay === undefined) lost.set(stream, { view, event, why, attempts: attempts + 1 });
    else dueAt.set(stream, now() + delay);
    const { type, position } = event;
    const error = String(why).slice(0, ERROR_MAX);
    return { revision: Number(event.revision), type, position, error, attempts: attempts + 1, since };
  };
  return {
    has: (stream: string) => parked.has(stream),
    all: (): ReadonlyMap<string, ParkedStream> => new Map(parked),
    /** Counts a failure; when no try is left, the alarm rings as soon as that is written. */
    setAside: (poison: ReadonlyMap<string, PoisonEvent>) =>
      new Map([...poison].map(([stream, reason]) => [stream, setAsideOne(stream, reason)])),
    settle: (change: Pick<EditionChange<never>, 'parked' | 'unparked'>) => {
      for (const stream of change.unparked ?? []) parked.delete(stream);
      for (const [stream, wait] of change.parked ?? []) parked.set(stream, wait);
      for (const each of lost.values()) alarm(each);
      lost.clear();
    },
    due: (released: EditionStatus['released']): string[] => {
      const due = [...dueAt].filter(([, at]) => at <= now()).map(([stream]) => stream);
      for (const stream of due) dueAt.delete(stream);
      return [...new Set([...released.keys(), ...due])].filter((stream) => parked.has(stream));
    },
  };
}

const revisionsOf = (documents: ReadonlyMap<string, Folded<unknown>>) =>
  new Map([...documents].map(([stream, { revision }]) => [stream, revision]));

/** Milliseconds before a stream that could not be folded is tried again; afterwards it waits for an operator. */
const RETRIES = [100, 500, 2_000];

/** Characters of an error that are kept. */
const ERROR_MAX = 2_000;
