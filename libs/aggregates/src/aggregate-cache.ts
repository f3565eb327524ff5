import { fold, type Folded, type Message, emptyStream, type Recorded } from '@charter/decider';
import { ZERO_HASH, plainJson, type SealedEvent } from '@charter/integrity';
import { LRUCache } from 'lru-cache';
import { readTimeLeft } from './deadline';
import { forEachEvent, nextEvent, orUnreadable, type ReplayRules } from './replay';
import type { EventLog } from '@charter/event-log';

/** A folded stream in memory: its state, the hash of its last event, and the commands whose events it holds. */
export type CachedStream<Draft> = Folded<Draft> &
  Readonly<{
    hash: string;
    /** The revision of the last event of each command. */
    answered: Map<string, number>;
    /** The logical time at which this state was last known to be current. */
    tick: number;
  }>;

/**
 * The least recently used streams leave it. A state here may be older than the stream, but never wrong. The cache owns
 * its states and `evolve` writes to them, so a caller uses a state at once and only within the stream's queue.
 */
export type AggregateCache<Draft, Event extends Message> = Readonly<{
  /** The next logical time; greater than all before. */
  nextTick: () => number;
  get: (stream: string) => CachedStream<Draft> | undefined;
  /** The state after all events of the log. @throws UnreadableStream, LogError */
  catchUp: (stream: string, deadline: number) => Promise<CachedStream<Draft>>;
  /** A state that was current after a logical time; reads the log only if the cached one is older. */
  currentAfter: (stream: string, tick: number, deadline: number) => Promise<CachedStream<Draft>>;
  /** Adds events that were just appended to `current`; `sent` is the logical time of the append. */
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
      // Removed while it is folded, because folding writes to it: a failure must leave no half-folded state behind.
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

/** Folds further events into `current` and uses it up: the fold writes to its state and keeps parts of the events. */
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

/** A copy of an event that a state may keep parts of and write to. */
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
