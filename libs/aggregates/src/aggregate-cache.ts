import { fold, type Folded, type Message, emptyStream, type Recorded } from '@charter/decider';
import { ZERO_HASH, plainJson, type SealedEvent } from '@charter/integrity';
import { LRUCache } from 'lru-cache';
import { readTimeLeft } from './deadline';
import { forEachEvent, nextEvent, orUnreadable, type ReplayRules } from './replay';
import type { EventLog } from '@charter/event-log';

/** What is known of a stream: its state, the hash of its last event, and the commands it has answered. */
export type CachedStream<Draft> = Folded<Draft> &
  Readonly<{
    hash: string;
    /** The last revision of each command's events. */
    answered: Map<string, number>;
    /** All of this was true at this tick or after it. */
    seen: number;
  }>;

/**
 * The streams used last, each folded as far as it was known when it was last touched: never wrong, only short. States are
 * owned here and written to by `evolve`: whoever gets a present looks at it on the spot, and only while it is its turn.
 */
export type AggregateCache<Draft, Event extends Message> = Readonly<{
  /** A moment in the order of asking: later than every tick before. */
  tick: () => number;
  get: (stream: string) => CachedStream<Draft> | undefined;
  /** What is remembered, plus whatever the log has gained since. @throws Unreadable, and what the log throws */
  catchUp: (stream: string, until: number) => Promise<CachedStream<Draft>>;
  /** The present as it was at a tick or after it; reads only if need be. */
  since: (stream: string, tick: number, until: number) => Promise<CachedStream<Draft>>;
  /** Takes in events that were just appended to a present, which was therefore true at the tick of their sending. */
  grow: (stream: string, present: CachedStream<Draft>, events: readonly SealedEvent<Event>[], sent: number) => void;
  /** Replaces what is known of a stream. */
  keep: (stream: string, present: CachedStream<Draft>) => void;
  invalidate: (stream: string) => void;
  invalidateAll: () => void;
}>;

export function aggregateCache<Draft, Event extends Message>(
  log: EventLog,
  reading: ReplayRules<Draft, Event>,
  streamsKept: number,
): AggregateCache<Draft, Event> {
  const known = new LRUCache<string, CachedStream<Draft>>({ max: streamsKept });
  let now = 0;
  const tick = () => (now += 1);

  const catchUp = async (stream: string, until: number): Promise<CachedStream<Draft>> => {
    const seen = tick();
    let present = known.get(stream) ?? nothing(reading);
    const missing = { from: BigInt(present.revision + 1), deadline: readTimeLeft(until) };
    await forEachEvent(log, stream, missing, (event) => {
      // Not remembered while it is folded, for folding writes to it: whoever fails leaves nothing half-done behind.
      known.delete(stream);
      present = orUnreadable(event, () => advance(reading, present, [nextEvent(reading, present, event)], seen));
    });
    present = { ...present, seen };
    known.set(stream, present);
    return present;
  };

  const grow = (
    stream: string,
    present: CachedStream<Draft>,
    events: readonly SealedEvent<Event>[],
    sent: number,
  ): void => {
    known.delete(stream);
    try {
      known.set(stream, advance(reading, present, events.map(withCopiedData), sent));
    } catch {
      // It has happened, so its caller gets the receipt. The next one reads the stream and is told what is wrong with it.
    }
  };

  return {
    tick,
    get: (stream) => known.get(stream),
    catchUp,
    since: async (stream, asked, until) => {
      const present = known.get(stream);
      return present && present.seen > asked ? present : catchUp(stream, until);
    },
    grow,
    keep: (stream, present) => void known.set(stream, present),
    invalidate: (stream) => void known.delete(stream),
    invalidateAll: () => known.clear(),
  };
}

/** Further by some events, which are the state's own from now on. Uses the present up: its state is written to. */
export function advance<Draft, Event extends Message>(
  reading: ReplayRules<Draft, Event>,
  present: CachedStream<Draft>,
  events: readonly Recorded<Event>[],
  seen: number,
): CachedStream<Draft> {
  const { state, revision, at } = fold(reading, events, present);
  for (const event of events) present.answered.set(event.metadata.command, event.revision);
  return { state, revision, at, hash: events.at(-1)!.metadata.hash, answered: present.answered, seen };
}

/** Events that a state may keep parts of and write to, as if they had been read. */
export const withCopiedData = <Event extends Message>(event: Recorded<Event>): Recorded<Event> => ({
  ...event,
  data: plainJson(event.data),
});

const nothing = <Draft, Event extends Message>(reading: ReplayRules<Draft, Event>): CachedStream<Draft> => ({
  ...emptyStream<Draft>(reading),
  hash: ZERO_HASH,
  answered: new Map(),
  seen: 0,
});
