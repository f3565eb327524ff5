import { setTimeout as pause } from 'node:timers/promises';
import type { Charter } from '@charter/application';
import {
  type Delivery,
  type EventLog,
  isLogError,
  type Position,
  type ProjectionCheckpoint,
  type StoredEvent,
} from '@charter/event-log';
import { organizationIdOf } from '@charter/organization';
import { type BatchReader, readBatches } from '@charter/projections';
import { feedPrefixes } from '../../history/feed/change-source';
import { feedCursor, newestEvent } from '../../history/feed/feed-cursor';
import { readModelContains } from './read-model-contains';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';
import type { OrganizationAccess } from '../../process/parts/organization-access';

/** The new events of one organization, in the order of their revisions. */
export type ChangedOrganization = Readonly<{ organization: string; events: readonly StoredEvent[] }>;

/** The changes that the reader found in one step. The read model contains their events. */
export type ChangeBatch = Readonly<{
  changes: readonly ChangedOrganization[];
  /** The cursor before the batch; undefined if no event of an organization comes before the batch. */
  before: string | undefined;
  /**
   * The cursor after the batch, but before each change of a parked stream. No batch contains such a change yet, so a
   * client that reconnects must still get the change. Undefined if no other event comes before it.
   */
  after: string | undefined;
}>;

/** A consumer of the reader. The next batch waits until the consumer has handled this batch. */
type ChangeConsumer = Readonly<{
  take: (batch: ChangeBatch) => Promise<void>;
  /** Called if another log has replaced the log, or if the process stops. The reader removes the consumer before. */
  end: () => void;
}>;

/** Reads the changes of all organizations once for all consumers of the process. Reads nothing without a consumer. */
export type ChangeReader = Readonly<{
  /**
   * Adds a consumer. Once the promise resolves, the consumer gets every later event. `leave` removes the consumer.
   * @throws LogError
   */
  follow: (consumer: ChangeConsumer) => Promise<{ leave: () => void }>;
}>;

type ReaderParts = Pick<Charter, 'log'> &
  Lifecycle &
  Pick<Observability, 'logger'> &
  Pick<OrganizationAccess, 'projection'>;

/** Events within this number of milliseconds are one batch, so that several events cause one notice. */
const JOIN_MS = 100;
/** The maximum number of events in a batch. While a batch waits for the read model, the reader reads no more. */
const BATCH_MAX = 2_000;
/** The interval, in milliseconds, at which the reader notices that the process stops. */
const LOOK_MS = 250;
/** The pause, in milliseconds, before the reader reads again after a failure of the log. */
const AGAIN_MS = 500;

export function createChangeReader(parts: ReaderParts): ChangeReader {
  const consumers = new Set<ChangeConsumer>();
  let reading: Readonly<{ begun: Promise<void>; stop: () => void }> | undefined;

  const endAll = () => {
    const all = [...consumers];
    consumers.clear();
    for (const { end } of all) end();
  };
  const start = () => {
    const left = new AbortController();
    const started = begin(parts);
    const its = { begun: started.then(() => undefined), stop: () => left.abort() };
    reading = its;
    started
      .then((from) => readChanges(parts, from, left.signal, (batch) => deliver(consumers, batch)))
      .catch((error: unknown) => parts.logger.warn({ why: String(error) }, 'changes could not be read'))
      .finally(() => {
        if (reading !== its) return;
        reading = undefined;
        endAll();
      });
    return its;
  };
  return {
    follow: async (consumer) => {
      let joined: typeof reading;
      // If the last other consumer leaves during this wait, the read ends. This consumer then joins the next read.
      do await (joined = reading ?? start()).begun;
      while (reading !== joined);
      consumers.add(consumer);
      return {
        leave: () => {
          if (!consumers.delete(consumer) || consumers.size > 0) return;
          reading?.stop();
          reading = undefined;
        },
      };
    },
  };
}

const deliver = async (consumers: ReadonlySet<ChangeConsumer>, batch: ChangeBatch) => {
  await Promise.all([...consumers].map(({ take }) => take(batch)));
};

/** The start of the read: after the newest event of any organization. `last` is absent if the log has no such event. */
async function begin(parts: Pick<ReaderParts, 'log' | 'projection'>): Promise<ReadFrom> {
  const store = await parts.log.identity();
  const last = await newestEvent(parts.log);
  return last ? { store, last, ...(await readParked(parts, last)) } : { store, parkedEvents: new Map() };
}

/**
 * Waits until the read model contains the event. Then finds the earlier events that the documents of parked streams
 * lack, and the last event before them. @throws ProblemError 503 `not-yet`, LogError
 */
export async function readParked(
  { log, projection }: Pick<ReaderParts, 'log' | 'projection'>,
  event: StoredEvent,
): Promise<Pick<ReadFrom, 'parkedEvents' | 'resumable'>> {
  await readModelContains(projection, event.position);
  const parkedEvents = await readParkedEvents(log, projection.now().parked, event.position);
  const positions = [...parkedEvents.values()].map(([first]) => first!.position).sort();
  return { parkedEvents, resumable: positions[0] ? await lastBefore(log, positions[0]) : event };
}

/** The events that the documents of parked streams lack, up to a position. */
async function readParkedEvents(
  log: EventLog,
  parked: ReturnType<ReaderParts['projection']['now']>['parked'],
  upTo: Position,
): Promise<ParkedEvents> {
  const parkedEvents = new Map<string, readonly StoredEvent[]>();
  for (const [stream, { revision }] of parked) {
    const events: StoredEvent[] = [];
    const options = { from: BigInt(revision), maxCount: BATCH_MAX, absent: 'empty' } as const;
    try {
      for await (const event of log.readStream(stream, options)) if (event.position <= upTo) events.push(event);
    } catch (error) {
      if (!isLogError(error, 'deleted')) throw error;
    }
    if (events.length > 0) parkedEvents.set(stream, events);
  }
  return parkedEvents;
}

async function lastBefore(log: EventLog, position: Position): Promise<StoredEvent | undefined> {
  const read = { direction: 'backwards', from: position, maxCount: 2, streamPrefixes: feedPrefixes } as const;
  // some logs also deliver the event at the position itself
  for await (const event of log.readAll(read)) if (event.position < position) return event;
  return undefined;
}

type EventPlace = Pick<StoredEvent, 'position' | 'id'>;
/** The events of parked streams that no batch contains yet, by stream; at most the first `BATCH_MAX` of each stream. */
type ParkedEvents = ReadonlyMap<string, readonly StoredEvent[]>;
type ReadFrom = Readonly<{
  store: string;
  last?: EventPlace | undefined;
  parkedEvents: ParkedEvents;
  /** The last event before all parked events. A client can resume after this event. */
  resumable?: EventPlace | undefined;
}>;

/**
 * Passes batches to `take` until the signal aborts, the process stops, or another log has replaced the log. After a
 * failure of the log, continues after the last handled event.
 */
async function readChanges(
  { log, projection, stopping }: ReaderParts,
  from: ReadFrom,
  signal: AbortSignal,
  take: (batch: ChangeBatch) => Promise<void>,
): Promise<void> {
  const { store } = from;
  let { last, parkedEvents, resumable } = from;
  const isOver = () => signal.aborted || stopping();

  while (!isOver()) {
    const deliveries = readBatches(
      log.subscribe({ after: placeOf({ store, last }), streamPrefixes: feedPrefixes }),
      BATCH_MAX,
      signal,
    );
    try {
      while (!isOver()) {
        const events = await nextEvents(deliveries, last);
        const newest = events.at(-1) ?? last;
        if (newest) await readModelHas(projection, newest, isOver);
        if (isOver()) return;
        const { changes, rest } = withoutParked(projection, parkedEvents, events);
        const nextResumable = rest.size > 0 ? resumable : newest;
        const cursorAfter = (event: EventPlace | undefined) => event && feedCursor(store, event);
        const [before, after] = [cursorAfter(resumable), cursorAfter(nextResumable)];
        if (changes.length > 0) await take({ changes, before, after });
        // Only after `take`: after a failure, the batch comes again.
        [last, parkedEvents, resumable] = [newest, rest, nextResumable];
      }
    } catch (error) {
      if (isLogError(error, 'unknown-checkpoint')) return;
      if (!isLogError(error)) throw error;
      await pause(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    } finally {
      await deliveries.close();
    }
  }
}

const placeOf = ({ store, last }: Pick<ReadFrom, 'store' | 'last'>): ProjectionCheckpoint | 'start' =>
  last ? { store, position: last.position, lastEvent: { position: last.position, id: last.id } } : 'start';

/** The next new events. After the first event, waits `JOIN_MS` for further events. A subscription may repeat events. */
async function nextEvents(
  deliveries: BatchReader<Delivery>,
  last: EventPlace | undefined,
): Promise<readonly StoredEvent[]> {
  const first = newEventsIn(await deliveries.next(LOOK_MS), last);
  if (first.length === 0) return first;
  await pause(JOIN_MS);
  return [...first, ...newEventsIn(await deliveries.next(JOIN_MS / 10), first.at(-1))];
}

const newEventsIn = (deliveries: readonly Delivery[], last: EventPlace | undefined) =>
  deliveries.flatMap((delivery) =>
    delivery.kind === 'event' && (!last || delivery.event.position > last.position) ? [delivery.event] : [],
  );

/** Waits until the read model contains the event, so that no client reads and keeps the old value after a notice. */
async function readModelHas(
  projection: Pick<OrganizationAccess['projection'], 'whenProcessed'>,
  { position }: EventPlace,
  isOver: () => boolean,
): Promise<void> {
  let isThere = false;
  while (!isThere && !isOver())
    isThere = await projection.whenProcessed(position, { timeout: LOOK_MS }).then(
      () => true,
      () => pause(LOOK_MS / 10, false),
    );
}

/**
 * The changes whose events the documents contain. The document of a parked stream lacks the newest events, so the
 * change waits until the projector has repaired the stream.
 */
function withoutParked(
  { now }: Pick<OrganizationAccess['projection'], 'now'>,
  parkedEvents: ParkedEvents,
  events: readonly StoredEvent[],
): Readonly<{ changes: readonly ChangedOrganization[]; rest: ParkedEvents }> {
  const { parked } = now();
  const all = new Map(parkedEvents);
  for (const [stream, its] of Map.groupBy(events, ({ stream }) => stream))
    all.set(stream, [...(all.get(stream) ?? []), ...its]);
  return {
    changes: [...all].flatMap(([stream, its]) =>
      parked.has(stream) ? [] : [{ organization: organizationIdOf(stream), events: its }],
    ),
    rest: new Map([...all].flatMap(([stream, its]) => (parked.has(stream) ? [[stream, its.slice(0, BATCH_MAX)]] : []))),
  };
}
