import { setImmediate as yieldToLoop, setTimeout as pause } from 'node:timers/promises';
import { isLogError } from '../../errors';
import { type Delivery, positionOf } from '../../port';
import type { EventPage } from './table-reader';
import type { CommitSignal } from './commit-signal';

/**
 * The reads that a subscription needs. The reads throw a `LogError`. If a read fails with `unavailable`, the
 * subscription repeats the read.
 */
export type SubscriptionSource = Readonly<{
  start: () => SubscriptionStart;
  head: () => number;
  after: (position: number, upTo: number) => EventPage;
  wake: CommitSignal;
}>;

/**
 * The start of a subscription. The subscription begins after the position `after`, and delivers only checkpoints above
 * `floor`.
 */
export type SubscriptionStart = Readonly<{ after: number; floor: number }>;

type Step = IteratorResult<Delivery, undefined>;

/**
 * One ordered queue of events, checkpoints and `caught-up`. The subscription reads a page only after the consumer has
 * taken the whole previous page, so no checkpoint arrives before its events (`event-log.md` A5). The subscription
 * delivers `caught-up` each time it reaches the end of the log.
 */
export class SqliteSubscription implements AsyncIterableIterator<Delivery, undefined> {
  #page: readonly Delivery[] = [];
  #taken = 0;
  #cursor = 0;
  #floor = 0;
  #waitsAtEnd = false;
  #begun = false;
  #ended = false;
  #filling: Promise<void> | undefined;
  #wakeUp: () => void = () => undefined;

  constructor(
    private readonly source: SubscriptionSource,
    private readonly onEnd: (subscription: SqliteSubscription) => void,
  ) {
    try {
      this.#begin(); // `'end'` is the end of the log at this moment
    } catch {
      // the first step reads the start again; `'end'` is then the end of the log at that time
    }
  }

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

  /** Ends the subscription at once, even while `next` waits. The subscription delivers nothing afterwards. */
  return(): Promise<Step> {
    this.#ended = true;
    this.#page = [];
    this.#wakeUp();
    this.onEnd(this);
    return Promise.resolve({ value: undefined, done: true });
  }

  async #fill(): Promise<void> {
    try {
      this.#begin();
      await yieldToLoop(); // lets other work of this thread run during a long history
      while (!this.#ended && !this.#readPage()) await (this.#waitsAtEnd ? this.#nextCommit() : yieldToLoop());
    } catch (error) {
      if (isLogError(error, 'unavailable')) {
        await pause(100);
        return; // `next` repeats the read
      }
      void this.return();
      throw error;
    }
  }

  #begin() {
    if (this.#begun) return;
    const { after, floor } = this.source.start();
    [this.#cursor, this.#floor, this.#begun] = [after, floor, true];
  }

  /** Reads a page into the queue. Returns whether the queue contains anything to deliver. */
  #readPage(): boolean {
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

  /** Waits until the next commit, or until this subscription ends. */
  #nextCommit(): Promise<void> {
    return new Promise((resolve) => {
      const cancelWait = this.source.wake.onNext(resolve);
      this.#wakeUp = () => {
        cancelWait();
        resolve();
      };
    });
  }
}
