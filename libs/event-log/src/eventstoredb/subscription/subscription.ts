import { setImmediate as yieldToLoop, setTimeout as pause } from 'node:timers/promises';
import type { LogError } from '../../errors';
import { type Delivery, EMPTY_LOG_POSITION, type SubscribeOptions } from '../../port';
import type { ServerCalls } from '../calls';
import { isSlowConsumer, logErrorOf } from '../failure';
import { type EndProbe, endProbe } from './end-probe';
import { type LiveSubscription, subscribeAfter } from './live-subscription';
import { headOf } from '../pages';
import {
  validateSubscriptionState,
  type SubscriptionState,
  stateFromEnd,
  stateFromCheckpoint,
} from './subscription-state';

type Step = IteratorResult<Delivery, undefined>;

/**
 * One ordered queue of events, checkpoints and `caught-up`. The subscription reconnects after a lost connection,
 * because the client does not reconnect. The subscription resumes after the last event that the consumer took and hides
 * temporary failures from the consumer (`event-log.md` A5).
 */
export class EventStoreSubscription implements AsyncIterableIterator<Delivery, undefined> {
  #page: readonly Delivery[] = [];
  #next = 0;
  #filling: Promise<void> | undefined;
  #isOver = false;
  #start: Promise<SubscriptionState> | undefined;
  #state: SubscriptionState | undefined;
  #connected: Readonly<{ live: LiveSubscription; endProbe: EndProbe; begun: number }> | undefined;
  #failures = 0;
  readonly #ending = new AbortController();

  constructor(
    private readonly calls: ServerCalls,
    private readonly options: SubscribeOptions,
    private readonly identity: () => Promise<string>,
    private readonly ended: (subscription: EventStoreSubscription) => void,
  ) {
    if (options.after === 'end') this.#begin().catch(() => undefined); // starts at the present end of the log
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const value = this.#page[this.#next];
    if (value) {
      this.#next += 1;
      return Promise.resolve({ value, done: false });
    }
    if (this.#isOver) return Promise.resolve({ value: undefined, done: true });
    this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
    return this.#filling.then(() => this.next());
  }

  /** Ends the subscription at once, even while `next` waits. The subscription delivers nothing afterwards. */
  return(): Promise<Step> {
    this.#isOver = true;
    this.#page = [];
    this.#ending.abort();
    this.#disconnect();
    this.ended(this);
    return Promise.resolve({ value: undefined, done: true });
  }

  async #fill(): Promise<void> {
    while (!this.#isOver) {
      const page = await this.#take().catch((error: unknown) =>
        this.#recover(logErrorOf(error, 'The subscription failed')),
      );
      if (page.length === 0) continue;
      this.#setPage(page);
      return;
    }
  }

  #setPage(page: readonly Delivery[]) {
    if (!this.#isOver) [this.#page, this.#next] = [page, 0];
  }

  async #take(): Promise<readonly Delivery[]> {
    this.#connected ??= await this.#connect();
    const { live, endProbe, begun } = this.#connected;
    const isFirst = performance.now() - begun < FIRST_WAIT_MS;
    await yieldToLoop(); // lets other work of this thread run during a long history
    const arrived = await live.take(isFirst ? FIRST_WAIT_MS : WAIT_MS);
    return this.#advance(arrived.length > 0 ? arrived : await endProbe.probe(live));
  }

  async #connect() {
    this.#state ??= await this.#begin();
    await validateSubscriptionState(this.calls, this.#state, await this.identity());
    const after = this.#state.after?.position;
    const from = after === EMPTY_LOG_POSITION ? undefined : after;
    const live = await subscribeAfter(this.calls, from, this.options.streamPrefixes);
    const connected = {
      live,
      endProbe: endProbe(this.calls, from, this.options.streamPrefixes),
      begun: performance.now(),
    };
    if (this.#isOver) live.end();
    return connected;
  }

  /**
   * Returns the state with which the subscription begins. If the server does not answer, the next call reads the state
   * again.
   */
  #begin(): Promise<SubscriptionState> {
    const { after } = this.options;
    this.#start ??= (async () => {
      if (typeof after === 'object') return stateFromCheckpoint(after);
      return stateFromEnd(after, await this.identity(), await headOf(this.calls));
    })();
    this.#start.catch(() => (this.#start = undefined));
    return this.#start;
  }

  /**
   * Updates the state with the deliveries of a page, and drops checkpoints whose position is not above `floor`. The new
   * state counts the whole page as taken, because the consumer takes the whole page before the next read.
   */
  #advance(page: readonly Delivery[]): readonly Delivery[] {
    const { store } = this.#state!;
    let { after, floor } = this.#state!;
    const counted = page.filter((delivery) => {
      if (delivery.kind === 'caught-up') return true;
      const position = delivery.kind === 'event' ? delivery.event.position : delivery.position;
      const isFurther = position > floor;
      if (isFurther) floor = position;
      if (delivery.kind === 'event') after = { position, id: delivery.event.id };
      return delivery.kind === 'event' || isFurther;
    });
    this.#state = { store, after, floor };
    return counted;
  }

  /**
   * Waits after a temporary failure, with exponential back-off.
   * @throws LogError for any other failure, which ends the subscription
   */
  async #recover(failure: LogError): Promise<readonly Delivery[]> {
    const progressed = (this.#connected?.live.taken() ?? 0) > 0;
    this.#disconnect();
    if (this.#isOver) return [];
    if (progressed) this.#failures = 0;
    if (this.calls.closing.aborted || !isTemporary(failure, this.#failures)) {
      void this.return();
      throw failure;
    }
    if (progressed && isSlowConsumer(failure)) return []; // servers drop slow consumers in normal operation
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LAST_PAUSE_MS) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    await pause(wait, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    return [];
  }

  #disconnect() {
    this.#connected?.live.end();
    this.#connected = undefined;
  }
}

/**
 * Whether a later try may succeed after the failure. After a failure of unknown cause, the subscription tries only a
 * few times.
 */
const isTemporary = ({ kind }: LogError, failures: number): boolean =>
  kind === 'unavailable' || (kind === 'internal' && failures < INTERNAL_TRIES);
const INTERNAL_TRIES = 4;

/**
 * The time in milliseconds for which the subscription waits for a delivery before it reads up to the end of the log.
 * The first wait after a connection is shorter than the later waits.
 */
const FIRST_WAIT_MS = 50;
const WAIT_MS = 250;

/**
 * The shortest and the longest pause before the subscription connects again, in milliseconds. The pauses are short, so
 * that the read model is at most a second late when the server answers again.
 */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 800;
