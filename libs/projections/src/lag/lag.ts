import { type ProjectionCheckpoint, type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import { readSince } from '@charter/event-log';

/** The oldest event that a read model has not handled. */
export type OldestUnprocessed = Readonly<{ position: Position; created: Date }>;

/** The lag of a read model. */
export type Lag = Readonly<{
  /**
   * The number of events that the read model has not handled; `undefined` if the log cannot count (`event-log.md` D6).
   */
  events: number | undefined;
  /**
   * The age in seconds of the oldest event that the read model has not handled; 0 without such an event. If the clock
   * was set back, at least the time since the first measurement that found this event.
   */
  seconds: number;
}>;

/** `measure` reads the lag from the log. `at` computes the lag at any moment from the last measurement. */
export function lagMonitor(log: EventLog, streamPrefixes: readonly string[]) {
  let oldest: OldestUnprocessed | undefined;
  let oldestSince = 0; // the time of the measurement that found `oldest`
  let events: number | undefined = 0;
  let scanned: Readonly<{ at: Position; to: Position }> | undefined; // no event of the view is between these positions
  /** The last known position up to which there is no unhandled event. */
  const from = (checkpoint: ProjectionCheckpoint | undefined, position: Position) => {
    const handled = checkpoint?.lastEvent?.position ?? EMPTY_LOG_POSITION;
    const scannedTo = scanned && scanned.at <= position ? scanned.to : EMPTY_LOG_POSITION;
    return scannedTo > handled ? scannedTo : handled;
  };

  const measure = async (checkpoint: ProjectionCheckpoint | undefined): Promise<void> => {
    const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
    const head = await log.head();
    oldest = undefined;
    if (head > position) {
      oldest = await firstAfter(log, streamPrefixes, position, from(checkpoint, position));
    }
    oldestSince = performance.now();
    scanned = oldest ? undefined : { at: position, to: head };
    events = oldest ? await log.lag?.(position) : 0;
  };
  return {
    measure: async (checkpoint: ProjectionCheckpoint | undefined) => {
      const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
      if (!oldest || position >= oldest.position) return measure(checkpoint);
      events = await log.lag?.(position);
    },
    at: (position: Position, now: number): Lag => {
      if (!oldest || position >= oldest.position) return none;
      const ms = Math.max(now - oldest.created.getTime(), performance.now() - oldestSince);
      return { events, seconds: ms / 1000 };
    },
  };
}

/** Measures the lag of a reader at `checkpoint` once. */
export async function measureLag(
  log: EventLog,
  streamPrefixes: readonly string[],
  checkpoint: ProjectionCheckpoint | undefined,
  now: number,
): Promise<Lag> {
  const lag = lagMonitor(log, streamPrefixes);
  await lag.measure(checkpoint);
  return lag.at(checkpoint?.position ?? EMPTY_LOG_POSITION, now);
}

const none: Lag = { events: 0, seconds: 0 };

/**
 * The first event of a view after `position`. The read begins with the event at `from`: the caller knows that the view
 * has no event between `position` and `from`.
 */
export async function firstAfter(
  log: EventLog,
  streamPrefixes: readonly string[],
  position: Position,
  from: Position,
): Promise<OldestUnprocessed | undefined> {
  for await (const event of readSince(log, from, streamPrefixes))
    if (event.position > position) return { position: event.position, created: event.created };
  return undefined;
}
