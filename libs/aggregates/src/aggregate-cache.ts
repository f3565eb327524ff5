import { fold, type Folded, type Message, emptyStream, type Recorded } from '@charter/decider';
import { ZERO_HASH, plainJson, type SealedEvent } from '@charter/integrity';
import { LRUCache } from 'lru-cache';
import { readTimeLeft } from './deadline';
import { forEachEvent, nextEvent, orUnreadable, type ReplayRules } from './replay';
import { type EventLog, metadataOf, type StoredEvent } from '@charter/event-log';

/**
 * A folded stream in memory: its state, the hash of its last event, and the ids of the commands that caused its events.
 */
export type CachedStream<Draft> = Folded<Draft> &
  Readonly<{
    hash: string;
    /** For each command whose events are in this state: the command's id, and the revision of its last event. */
    answered: Map<string, number>;
    /** The logical time at which this state was last known to be current. */
    tick: number;
    /**
     * The log's `version` before the read that completed this state; undefined if the state has changed since, or the
     * log has no versions.
     */
    version?: unknown;
  }>;

/**
 * The states of streams in memory. A full cache drops the stream that was used least recently. A cached state may lack
 * the stream's newest events, but is otherwise correct. `evolve` changes the cached states in place, so a caller must
 * use a state synchronously, inside the stream's queue.
 */
export type AggregateCache<Draft, Event extends Message> = Readonly<{
  /** Returns the next logical time: a number that is greater than all earlier logical times of this process. */
  nextTick: () => number;
  get: (stream: string) => CachedStream<Draft> | undefined;
  /** Returns the cached state if the log's `version` proves that no event is missing; otherwise undefined. */
  current: (stream: string, version?: unknown) => CachedStream<Draft> | undefined;
  /** Reads the log and returns the state after all its events. @throws UnreadableStream, LogError */
  catchUp: (stream: string, deadline: number) => Promise<CachedStream<Draft>>;
  /**
   * Returns a state that was current at some time after the logical time `tick`. Reads the log if the cached state was
   * last known to be current at or before `tick`.
   */
  currentAfter: (stream: string, tick: number, deadline: number) => Promise<CachedStream<Draft>>;
  /**
   * Folds the events of a finished append into `current`, and caches the result. `sent` is the logical time at which
   * the append was sent.
   */
  extend: (stream: string, current: CachedStream<Draft>, events: readonly SealedEvent<Event>[], sent: number) => void;
  replace: (stream: string, current: CachedStream<Draft>) => void;
  invalidate: (stream: string) => void;
  invalidateAll: () => void;
}>;

export function aggregateCache<Draft, Event extends Message>(
  log: EventLog,
  rules: ReplayRules<Draft, Event>,
  streamsMax: number,
): AggregateCache<Draft, Event> {
  // Each stream has the size 1, so `maxSize` counts streams. With `max`, the constructor would allocate memory for all
  // entries at once, which takes some milliseconds.
  const streams = new LRUCache<string, CachedStream<Draft>>({ maxSize: streamsMax, sizeCalculation: () => 1 });
  let now = 0;
  const nextTick = () => (now += 1);

  const catchUp = async (stream: string, deadline: number): Promise<CachedStream<Draft>> => {
    const tick = nextTick();
    const version = log.version?.(); // before the read, so that a commit during the read changes the version
    const cached = streams.get(stream);
    let current = cached ?? emptyCache(rules);
    let isOfOtherLog = false as boolean;
    const missing = { from: BigInt(current.revision + 1), deadline: readTimeLeft(deadline) };
    await forEachEvent(log, stream, missing, (event) => {
      isOfOtherLog = current === cached && metadataOf(event).previousHash !== cached.hash;
      if (isOfOtherLog) return false;
      // Removes the stream from the cache until the fold ends, because a fold that fails leaves a half-changed state.
      streams.delete(stream);
      current = advanceOrSkip(rules, current, event, tick);
      return true;
    });
    if (isOfOtherLog) {
      streams.delete(stream); // an older copy has replaced the log, and has grown since
      return catchUp(stream, deadline);
    }
    current = { ...current, tick, version };
    // A caller may query any number of streams that do not exist. Streams that do not exist must not displace existing
    // streams from the cache.
    if (current.revision >= 0) streams.set(stream, current);
    return current;
  };

  const extend = (
    stream: string,
    current: CachedStream<Draft>,
    events: readonly SealedEvent<Event>[],
    sent: number,
  ): void => {
    streams.delete(stream);
    try {
      streams.set(stream, advance(rules, current, events.map(withCopiedData), sent));
    } catch {
      // The fold failed, but the log contains the events, so the caller still gets the receipt. The next command or
      // query reads the stream from the log and reports the error.
    }
  };

  return {
    nextTick,
    get: (stream) => streams.get(stream),
    current: (stream, version = log.version?.()) => {
      const cached = streams.get(stream);
      return cached?.version !== undefined && cached.version === version ? cached : undefined;
    },
    catchUp,
    currentAfter: async (stream, after, deadline) => {
      const current = streams.get(stream);
      return current && current.tick > after ? current : catchUp(stream, deadline);
    },
    extend,
    replace: (stream, current) => void streams.set(stream, current),
    invalidate: (stream) => void streams.delete(stream),
    invalidateAll: () => streams.clear(),
  };
}

/**
 * Folds more events into `current`. The fold changes `current`, and the new state keeps parts of `events`. The caller
 * must not use `current` and `events` after the call.
 */
export function advance<Draft, Event extends Message>(
  rules: ReplayRules<Draft, Event>,
  current: CachedStream<Draft>,
  events: readonly Recorded<Event>[],
  tick: number,
): CachedStream<Draft> {
  const { state, revision, at } = fold(rules, events, current);
  for (const event of events) current.answered.set(event.metadata.command, event.revision);
  return { state, revision, at, hash: events.at(-1)!.metadata.hash, answered: current.answered, tick };
}

/** @throws UnreadableStream if the event cannot be folded, unless `skipsUnreadable` of the rules is true */
function advanceOrSkip<Draft, Event extends Message>(
  rules: ReplayRules<Draft, Event>,
  current: CachedStream<Draft>,
  event: StoredEvent,
  tick: number,
): CachedStream<Draft> {
  try {
    return orUnreadable(event, () => advance(rules, current, [nextEvent(rules, current, event)], tick));
  } catch (error) {
    if (!rules.skipsUnreadable) throw error;
    // The hash chain continues after the skipped event, if that event has a hash.
    const { hash } = metadataOf(event);
    return { ...current, revision: Number(event.revision), hash: typeof hash === 'string' ? hash : current.hash };
  }
}

/** Copies the data of an event, because a state may keep parts of the data and change them. */
export const withCopiedData = <Event extends Message>(event: Recorded<Event>): Recorded<Event> => ({
  ...event,
  data: plainJson(event.data),
});

const emptyCache = <Draft, Event extends Message>(rules: ReplayRules<Draft, Event>): CachedStream<Draft> => ({
  ...emptyStream<Draft>(rules),
  hash: ZERO_HASH,
  answered: new Map(),
  tick: 0,
});
