import { LogError } from '../../errors';
import { type ProjectionCheckpoint, type Position, positionOf, type SubscribeOptions } from '../../port';
import type { TableReader } from './table-reader';
import type { SubscriptionStart } from './subscription';

/**
 * The position after which a subscription begins. A checkpoint continues after the last event that the consumer
 * handled, because the checkpoint's own position may contain no event.
 * @throws LogError `unknown-checkpoint` if the checkpoint comes from another store, or from this store before the store
 * was restored from a backup
 */
export function startOf(after: SubscribeOptions['after'], store: string, reader: TableReader): SubscriptionStart {
  const head = reader.head();
  if (after === 'start') return { after: 0, floor: 0 };
  if (after === 'end') return { after: head, floor: head };
  return { after: lastHandled(after, store, head, reader), floor: Number(after.position) };
}

function lastHandled(
  { store: of, position, lastEvent }: ProjectionCheckpoint,
  store: string,
  head: number,
  reader: TableReader,
): number {
  if (of !== store) throw unknown(`The checkpoint comes from the store ${of}, not from ${store}.`);
  const end = positionOf(BigInt(head));
  if (!isUpTo(end, position)) throw unknown(`The checkpoint ${position} lies beyond the end, ${end}.`);
  if (!lastEvent) return 0;
  const stored = isUpTo(end, lastEvent.position) ? reader.idAt(Number(lastEvent.position)) : undefined;
  if (stored !== lastEvent.id.toLowerCase())
    throw unknown(`The event at ${lastEvent.position} is not ${lastEvent.id}.`);
  return Number(lastEvent.position);
}

const isUpTo = (end: Position, position: Position) => /^\d{20}$/.test(position) && position <= end;

const unknown = (message: string) => new LogError('unknown-checkpoint', message);
