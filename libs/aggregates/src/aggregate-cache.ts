import { fold, type Folded, type Message, emptyStream, type Recorded } from '@charter/decider';
import { ZERO_HASH, plainJson, type SealedEvent } from '@charter/integrity';
import { LRUCache } from 'lru-cache';
import { readTimeLeft } from './deadline';
import { forEachEvent, nextEvent, orUnreadable, type ReplayRules } from './replay';
import type { EventLog } from '@charter/event-log';

/**
 * A folded stream in memory. Beside its state it holds the hash of its last event, and the commands whose events it
 * contains.
 */
export type CachedStream<Draft> = Folded<Draft> &
  Readonly<{
    hash: string;
    /** For each command id, the revision of the command's last event. */
    answered: Map<string, number>;
    /** The logical time at which this state was last known to be current. */
    tick: number;
  }>;

/**
 * States of streams in memory. A full cache drops the least recently used stream. A cached state may be older than the
 * stream, but never wrong. `evolve` writes to the cached states, so a caller uses a state at once and only within the
 * stream's queue.
 */
export type AggregateCache<Draft, Event extends Message> = Readonly<{
  /** The next logical time, greater than all earlier ones. */
  nextTick: () => number;
  get: (stream: string) => CachedStream<Draft> | undefined;
  /** Reads the log and returns the state after all its events. @throws UnreadableStream, LogError */
  catchUp: (stream: string, deadline: number) => Promise<CachedStream<Draft>>;
  /** A state that was current after a logical time. Reads the log only if the cached state is older. */
  currentAfter: (stream: string, tick: number, deadline: number) => Promise<CachedStream<Draft>>;
  /** Adds events that were just appended to `current`. `sent` is the logical time of the append. */
  extend: (stream: string, current: CachedStream<Draft>, events: readonly SealedEvent<Event>[], sent: number) => void;
  /** Replaces the cached state of a stream. */
  replace: (stream: string, current: CachedStream<Draft>) => void;
  invalidate: (stream: string) => void;
  invalidateAll: () => void;
}>;

export function aggregateCache<Draft, Event extends Message>(
  log: EventLog,
  rules: ReplayRules<Draft, Event>,
  streamsMax: number,
): AggregateCache<Draft, Event> {
  const streams = new LRUCache<string, CachedStream<Draft>>({ max: streamsMax });
  let now = 0;
  const nextTick = () => (now += 1);

  const catchUp = async (stream: string, deadline: number): Promise<CachedStream<Draft>> => {
    const tick = nextTick();
    let current = streams.get(stream) ?? emptyCache(rules);
    const missing = { from: BigInt(current.revision + 1), deadline: readTimeLeft(deadline) };
    await forEachEvent(log, stream, missing, (event) => {
      // The stream leaves the cache while it is folded. The fold writes to its state, and a failure must not leave a
      // half-folded state.
      streams.delete(stream);
      current = orUnreadable(event, () => advance(rules, current, [nextEvent(rules, current, event)], tick));
    });
    current = { ...current, tick };
    streams.set(stream, current);
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
      // The events are stored, so the caller gets the receipt. The next call reads the stream and reports what is
      // wrong.
    }
  };

  return {
    nextTick,
    get: (stream) => streams.get(stream),
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
 * Folds further events into `current`. The fold writes to this state and keeps parts of the events, so the caller must
 * not use either again.
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

/** Copies the data of an event, because a state may keep parts of the data and write to them. */
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
