import { type ProjectionCheckpoint, type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import { readSince } from '@charter/event-log';

/** The oldest event that a read model has not seen; nothing when it has seen all of its events. */
export type OldestUnprocessed = Readonly<{ position: Position; created: Date }>;

/** How far a read model is behind. */
export type Lag = Readonly<{
  /** Events of the log not yet handled; nothing where the log cannot count (`event-log.md` D6). */
  events: number | undefined;
  /** Age of the oldest of them; 0 when all was handled. */
  seconds: number;
}>;

/** A lag that is looked up from time to time, and told for any moment in between. */
export function lagMonitor(log: EventLog, streamPrefixes: readonly string[]) {
  let oldest: OldestUnprocessed | undefined;
  let events: number | undefined = 0;
  let looked: Readonly<{ at: Position; to: Position }> | undefined; // nothing lies between the two
  /** The newest event that is known and lies before what is looked for. */
  const from = (checkpoint: ProjectionCheckpoint | undefined, position: Position) => {
    const handled = checkpoint?.lastEvent?.position ?? EMPTY_LOG_POSITION;
    const scanned = looked && looked.at <= position ? looked.to : EMPTY_LOG_POSITION;
    return scanned > handled ? scanned : handled;
  };

  const look = async (checkpoint: ProjectionCheckpoint | undefined): Promise<void> => {
    const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
    const head = await log.head();
    oldest = undefined;
    if (head > position) {
      oldest = await firstAfter(log, streamPrefixes, position, from(checkpoint, position));
    }
    looked = oldest ? undefined : { at: position, to: head };
    events = oldest ? await log.lag?.(position) : 0;
  };
  return {
    look: async (checkpoint: ProjectionCheckpoint | undefined) => {
      const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
      if (!oldest || position >= oldest.position) return look(checkpoint);
      events = await log.lag?.(position);
    },
    at: (position: Position, now: number): Lag =>
      !oldest || position >= oldest.position ? none : { events, seconds: secondsSince(oldest, now) },
  };
}

/** What a reader that stands at `checkpoint` has still to do, asked of the log now. */
export async function measureLag(
  log: EventLog,
  streamPrefixes: readonly string[],
  checkpoint: ProjectionCheckpoint | undefined,
  now: number,
): Promise<Lag> {
  const lag = lagMonitor(log, streamPrefixes);
  await lag.look(checkpoint);
  return lag.at(checkpoint?.position ?? EMPTY_LOG_POSITION, now);
}

const none: Lag = { events: 0, seconds: 0 };
const secondsSince = ({ created }: OldestUnprocessed, now: number) => Math.max(0, now - created.getTime()) / 1000;

async function firstAfter(
  log: EventLog,
  streamPrefixes: readonly string[],
  position: Position,
  from: Position,
): Promise<OldestUnprocessed | undefined> {
  for await (const event of readSince(log, from, streamPrefixes))
    if (event.position > position) return { position: event.position, created: event.created };
  return undefined;
}
