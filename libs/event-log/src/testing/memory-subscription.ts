import { LogError } from '../errors';
import { type MemoryStore, eventFromRow } from './memory-store';
import { type ProjectionCheckpoint, type Delivery, positionOf, type SubscribeOptions } from '../port';
import { matchesPrefixes, isSystemEvent } from '../reading/read-rule';

/** The history after a checkpoint, `caught-up`, and then whatever comes. Nothing is read before it is asked for. */
export class MemorySubscription implements AsyncIterableIterator<Delivery> {
  private failure: LogError | undefined;
  /** How many rows were looked at. */
  private reached: number;
  /** How many of them were told of, by an event or a checkpoint. */
  private told: number;
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
    else if (typeof after === 'object') this.failure = disbelief(store, after);
    this.reached = this.failure ? 0 : startOf(store, after);
    this.told = Math.max(this.reached, typeof after === 'object' ? Number(after.position) : 0); // never goes backwards
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

  /** Nothing is delivered afterwards; whoever waits is told that it is over. */
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

  /** The next thing to tell, if there is any now. */
  private delivery(): Delivery | undefined {
    const { rows } = this.store;
    while (this.reached < rows.length) {
      const row = rows[this.reached]!;
      this.reached += 1;
      if (isSystemEvent(row) || !matchesPrefixes(row.stream, this.options.streamPrefixes)) continue;
      this.told = Math.max(this.told, this.reached);
      return { kind: 'event', event: eventFromRow(row) };
    }
    if (this.told < this.reached) {
      this.told = this.reached;
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
  return after.lastEvent ? Number(after.lastEvent.position) : 0; // never after a bare position
};

/** Why a checkpoint cannot be of this store; undefined if it can. */
function disbelief(
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
