import { type Checkpoint, type EventLog, nowhere, type Position } from './port';

/** The oldest event that a read model has not seen; nothing when it has seen all of its events. */
export type Oldest = Readonly<{ position: Position; created: Date }>;

/** Asks the log what a reader that stands at `checkpoint` has still to do. */
export async function oldestUnseen(
  log: EventLog,
  streamPrefixes: readonly string[],
  checkpoint: Checkpoint | undefined,
): Promise<Oldest | undefined> {
  const position = checkpoint?.position ?? nowhere;
  if ((await log.head()) <= position) return undefined;
  // Reading starts at an event: of a bare position nobody vouches that an event begins there.
  const from = checkpoint?.lastEvent?.position ?? 'start';
  for await (const event of log.readAll({ from, streamPrefixes })) {
    if (event.position > position) return { position: event.position, created: event.created };
  }
  return undefined;
}

/** Seconds since the oldest unseen event was stored; 0 when all was seen. */
export const lagOf = (oldest: Oldest | undefined, position: Position, now: number): number =>
  !oldest || position >= oldest.position ? 0 : Math.max(0, now - oldest.created.getTime()) / 1000;
