import { LogError } from '../errors';
import { type MemoryStore, eventFromRow } from './memory-store';
import { type ProjectionCheckpoint, type Delivery, positionOf, type SubscribeOptions } from '../port';
import { matchesPrefixes, isSystemEvent } from '../reading/read-rule';

/**
 * Delivers the history after a checkpoint, then `caught-up`, then new events. Each call of `next` reads one delivery.
 */
export class MemorySubscription implements AsyncIterableIterator<Delivery> {
  private failure: LogError | undefined;
  /** The number of rows that the subscription has examined. */
  private reached: number;
  /** The number of rows up to the last delivered event or checkpoint. This number never decreases. */
  private delivered: number;
  private wasCaughtUp = false;
  private hasEnded = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly store: MemoryStore,
    private readonly options: SubscribeOptions,
    isClosed: boolean,
    private readonly whenEnded: () => void,
  ) {
    const { after } = options;
    if (isClosed) this.failure = new LogError('closed', 'This event log was closed.');
    else if (typeof after === 'object') this.failure = checkpointError(store, after);
    this.reached = this.failure ? 0 : startOf(store, after);
    this.delivered = Math.max(this.reached, typeof after === 'object' ? Number(after.position) : 0);
    store.wakers.add(this.woken);
  }

  async next(): Promise<IteratorResult<Delivery, undefined>> {
    for (;;) {
      if (this.failure && !this.hasEnded) {
        this.end();
        throw this.failure;
      }
      if (this.hasEnded) return { done: true, value: undefined };
      const value = this.delivery();
      if (value) return { done: false, value };
      await new Promise<void>((wake) => (this.wake = wake));
    }
  }

  return(): Promise<IteratorResult<Delivery, undefined>> {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Delivers nothing more, and resolves a pending `next`. */
  end(): void {
    this.hasEnded = true;
    this.store.wakers.delete(this.woken);
    this.whenEnded();
    this.woken();
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  private readonly woken = () => {
    this.wake?.();
    this.wake = undefined;
  };

  /** The next delivery; `undefined` if the subscription has to wait. */
  private delivery(): Delivery | undefined {
    const { rows } = this.store;
    while (this.reached < rows.length) {
      const row = rows[this.reached]!;
      this.reached += 1;
      if (isSystemEvent(row) || !matchesPrefixes(row.stream, this.options.streamPrefixes)) continue;
      this.delivered = Math.max(this.delivered, this.reached);
      return { kind: 'event', event: eventFromRow(row) };
    }
    if (this.delivered < this.reached) {
      this.delivered = this.reached;
      return { kind: 'checkpoint', position: positionOf(BigInt(this.reached)) };
    }
    if (this.wasCaughtUp) return undefined;
    this.wasCaughtUp = true;
    return { kind: 'caught-up' };
  }
}

const startOf = ({ rows }: MemoryStore, after: SubscribeOptions['after']): number => {
  if (after === 'start') return 0;
  if (after === 'end') return rows.length;
  // The subscription starts after the checkpoint's last event. The checkpoint's position may belong to no event.
  return after.lastEvent ? Number(after.lastEvent.position) : 0;
};

/** The error for a checkpoint that does not belong to this store; `undefined` for a checkpoint of this store. */
function checkpointError(
  { id, rows }: MemoryStore,
  { store, position, lastEvent }: ProjectionCheckpoint,
): LogError | undefined {
  const unknown = (why: string) => new LogError('unknown-checkpoint', `The checkpoint ${why}.`);
  if (store !== id) return unknown('is of another store');
  if (position > positionOf(BigInt(rows.length))) return unknown('lies beyond the end');
  if (lastEvent && rows[Number(lastEvent.position) - 1]?.id !== lastEvent.id) {
    return unknown('names an event that is not at its position');
  }
  return undefined;
}
