import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises';
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
  stateFromPlace,
  stateFromCheckpoint,
} from './subscription-state';

type Step = IteratorResult<Delivery, undefined>;

/**
 * One ordered queue of events, checkpoints and `caught-up`, over as many connections as it takes: the client never
 * subscribes again by itself. Goes on after the last event that was taken. A failure that passes is not seen outside.
 */
export class EventStoreSubscription implements AsyncIterableIterator<Delivery, undefined> {
  #page: readonly Delivery[] = [];
  #next = 0;
  #filling: Promise<void> | undefined;
  #isOver = false;
  #standing: Promise<SubscriptionState> | undefined;
  #at: SubscriptionState | undefined;
  #connected: Readonly<{ live: LiveSubscription; horizon: EndProbe; begun: number }> | undefined;
  #failures = 0;
  readonly #ending = new AbortController();

  constructor(
    private readonly calls: ServerCalls,
    private readonly options: SubscribeOptions,
    private readonly identity: () => Promise<string>,
    private readonly left: (subscription: EventStoreSubscription) => void,
  ) {
    if (options.after === 'end') this.#begin().catch(() => undefined); // the end of now, not of the first step
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

  /** Ends it at once, also while it waits; nothing is delivered afterwards. */
  return(): Promise<Step> {
    this.#isOver = true;
    this.#page = [];
    this.#ending.abort();
    this.#hangUp();
    this.left(this);
    return Promise.resolve({ value: undefined, done: true });
  }

  async #fill(): Promise<void> {
    while (!this.#isOver) {
      const page = await this.#look().catch((error: unknown) =>
        this.#mend(logErrorOf(error, 'The subscription failed')),
      );
      if (page.length === 0) continue;
      this.#turn(page);
      return;
    }
  }

  #turn(page: readonly Delivery[]) {
    if (!this.#isOver) [this.#page, this.#next] = [page, 0];
  }

  async #look(): Promise<readonly Delivery[]> {
    this.#connected ??= await this.#connect();
    const { live, horizon, begun } = this.#connected;
    const isFirst = performance.now() - begun < FIRST_LOOK_MS;
    await breath(); // a long history leaves everyone else their turn
    const come = await live.take(isFirst ? FIRST_LOOK_MS : LOOK_MS);
    return this.#counted(come.length > 0 ? come : await horizon.probe(live));
  }

  async #connect() {
    this.#at ??= await this.#begin();
    await validateSubscriptionState(this.calls, this.#at, await this.identity());
    const after = this.#at.after?.position;
    const from = after === EMPTY_LOG_POSITION ? undefined : after;
    const live = await subscribeAfter(this.calls, from, this.options.streamPrefixes);
    const connected = {
      live,
      horizon: endProbe(this.calls, from, this.options.streamPrefixes),
      begun: performance.now(),
    };
    if (this.#isOver) live.end();
    return connected;
  }

  /** Where it stands at first. Asked again while the server does not answer. */
  #begin(): Promise<SubscriptionState> {
    const { after } = this.options;
    this.#standing ??= (async () => {
      if (typeof after === 'object') return stateFromCheckpoint(after);
      return stateFromPlace(after, await this.identity(), await headOf(this.calls));
    })();
    this.#standing.catch(() => (this.#standing = undefined));
    return this.#standing;
  }

  /** Notes how far a page leads, which is taken before the next one is asked for. Checkpoints never go backwards. */
  #counted(page: readonly Delivery[]): readonly Delivery[] {
    const { store } = this.#at!;
    let { after, floor } = this.#at!;
    const counted = page.filter((delivery) => {
      if (delivery.kind === 'caught-up') return true;
      const position = delivery.kind === 'event' ? delivery.event.position : delivery.position;
      const isFurther = position > floor;
      if (isFurther) floor = position;
      if (delivery.kind === 'event') after = { position, id: delivery.event.id };
      return delivery.kind === 'event' || isFurther;
    });
    this.#at = { store, after, floor };
    return counted;
  }

  /** Waits out what passes, longer each time. @throws LogError what does not pass, once */
  async #mend(failure: LogError): Promise<readonly Delivery[]> {
    const progressed = (this.#connected?.live.taken() ?? 0) > 0;
    this.#hangUp();
    if (this.#isOver) return [];
    if (progressed) this.#failures = 0;
    if (this.calls.closing.aborted || !isPassing(failure, this.#failures)) {
      void this.return();
      throw failure;
    }
    if (progressed && isSlowConsumer(failure)) return []; // normal traffic
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LAST_PAUSE_MS) * (0.5 + Math.random() / 2);
    this.#failures += 1;
    await pause(wait, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    return [];
  }

  #hangUp() {
    this.#connected?.live.end();
    this.#connected = undefined;
  }
}

/** Whether waiting may mend it. What cannot be classified gets some tries: a subscription has time. */
const isPassing = ({ kind }: LogError, failures: number): boolean =>
  kind === 'unavailable' || (kind === 'internal' && failures < INTERNAL_TRIES);
const INTERNAL_TRIES = 4;

/** How long nothing has to come before one looks for oneself: just after subscribing, and later. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 250;

/** Between two connections. */
const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 10_000;
