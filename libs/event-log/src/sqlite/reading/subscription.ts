import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises';
import { isLogError } from '../../errors';
import { type Delivery, positionOf } from '../../port';
import type { EventPage } from './table-reader';
import type { CommitSignal } from './commit-signal';

/** What a subscription asks of its log. Throws a `LogError`, of which `unavailable` passes. */
export type SubscriptionSource = Readonly<{
  head: () => number;
  after: (position: number, upTo: number) => EventPage;
  wake: CommitSignal;
}>;

/** After which event it begins, and the position that its checkpoints are always above. */
export type SubscriptionStart = Readonly<{ after: number; floor: number }>;

type Step = IteratorResult<Delivery, undefined>;

/**
 * One ordered queue of events, checkpoints and `caught-up`. The next page is read only when all of the one before was
 * taken, so a checkpoint never comes before its events were. `caught-up` comes each time that the end is reached.
 */
export class SqliteSubscription implements AsyncIterableIterator<Delivery, undefined> {
  #page: readonly Delivery[] = [];
  #taken = 0;
  #cursor = 0;
  #floor = 0;
  #waitsAtEnd = false;
  #ended = false;
  #filling: Promise<void> | undefined;
  #wakeUp: () => void = () => undefined;

  constructor(
    private readonly source: SubscriptionSource,
    private start: SubscriptionStart | Error | undefined,
    private readonly left: (subscription: SqliteSubscription) => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const value = this.#page[this.#taken];
    if (value) {
      this.#taken++;
      return Promise.resolve({ value, done: false });
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
    return this.#filling.then(() => this.next());
  }

  /** Ends it at once, also while it waits; nothing is delivered afterwards. */
  return(): Promise<Step> {
    this.#ended = true;
    this.#page = [];
    this.#wakeUp();
    this.left(this);
    return Promise.resolve({ value: undefined, done: true });
  }

  async #fill(): Promise<void> {
    try {
      this.#begin();
      await breath(); // a long history leaves everyone else their turn
      while (!this.#ended && !this.#look()) await (this.#waitsAtEnd ? this.#change() : breath());
    } catch (error) {
      if (isLogError(error, 'unavailable')) {
        await pause(100);
        return; // and whoever waits asks again
      }
      void this.return();
      throw error;
    }
  }

  #begin() {
    if (this.start instanceof Error) throw this.start;
    if (this.start) [this.#cursor, this.#floor] = [this.start.after, this.start.floor];
    this.start = undefined;
  }

  /** Reads a page. Answers whether there is anything to deliver. */
  #look(): boolean {
    const head = this.source.head();
    const found = this.#cursor < head ? this.#pageUpTo(head) : [];
    const atEnd = this.#cursor >= head;
    if (atEnd && (found.length > 0 || !this.#waitsAtEnd)) found.push({ kind: 'caught-up' });
    this.#waitsAtEnd = atEnd;
    this.#page = found;
    this.#taken = 0;
    return found.length > 0;
  }

  #pageUpTo(head: number): Delivery[] {
    const { events, through } = this.source.after(this.#cursor, head);
    const deliveries = events.map((event): Delivery => ({ kind: 'event', event }));
    const position = positionOf(BigInt(through));
    if (through > this.#floor && position !== events.at(-1)?.position)
      deliveries.push({ kind: 'checkpoint', position });
    this.#cursor = through;
    this.#floor = Math.max(this.#floor, through);
    return deliveries;
  }

  /** Waits for the next commit, or for the end of this subscription. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const giveUp = this.source.wake.onNext(resolve);
      this.#wakeUp = () => {
        giveUp();
        resolve();
      };
    });
  }
}
