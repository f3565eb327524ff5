import { serialized } from '../content';
import { flattened } from '../flattened-pages';
import type {
  AllRead,
  Appended,
  AppendOptions,
  Delivery,
  EventLog,
  NewEvent,
  Position,
  StoredEvent,
  StreamRead,
  Subscribe,
} from '../port';
import type { EventStoreAddress } from './address';
import { type Appends, appendsOver } from './appends';
import { type Calls, callsOf } from './calls';
import { checked, checkedThoroughly } from './checks';
import { type Client, clientFor } from './client';
import { forgottenOf } from './truncated-streams';
import { identityOf } from './identity';
import { headOf, pagesOfAll, pagesOfStream, refuseIfClosed } from './pages';
import { EventStoreSubscription } from './subscription/subscription';
import { within } from './time-bound';

export type EventStoreOptions = Readonly<{
  address: EventStoreAddress;
  /** The command line comes `beside` a server, and leaves the long checks to it. */
  role?: 'server' | 'beside';
  warn?: (sentence: string) => void;
  /** Milliseconds that a server may take to come up; then the start is refused. */
  startWithin?: number;
}>;

/** The event log on an EventStoreDB or KurrentDB server. Decisions are read from the leader, and only from there. */
export class EventStoreLog implements EventLog {
  readonly #calls: Calls;
  readonly #appends: Appends;
  readonly #subscriptions = new Set<EventStoreSubscription>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly client: Client,
    address: EventStoreAddress,
  ) {
    this.#calls = callsOf(client, address, address.numbers.defaultDeadline ?? defaultDeadline, this.#closing.signal);
    this.#appends = appendsOver(this.#calls);
  }

  /** Connects, and founds the store's identity where there is none. Rejects with `StoreRefused`, one clear sentence. */
  static async open(options: EventStoreOptions): Promise<EventStoreLog> {
    const { address, role = 'server', warn = process.emitWarning, startWithin = 10_000 } = options;
    const log = new EventStoreLog(await clientFor(address), address);
    try {
      await checked(log.#calls, address, startWithin);
      if (role === 'server') await checkedThoroughly(log.#calls, address, warn);
      await log.identity();
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<Appended> {
    this.#refuseWhenClosed();
    const { expected, deadline = this.#calls.ms } = options;
    return this.#appends.append(stream, serialized(stream, events, expected), expected, deadline);
  }

  readStream(stream: string, options: StreamRead = {}): AsyncIterable<StoredEvent> {
    return flattened(pagesOfStream(this.#calls, stream, options));
  }

  readAll(options: AllRead = {}): AsyncIterable<StoredEvent> {
    return flattened(this.batches(options));
  }

  /** What `readAll` reads, a page at a time, for whoever takes many. */
  batches(options: AllRead = {}): AsyncGenerator<readonly StoredEvent[], undefined> {
    return pagesOfAll(this.#calls, options);
  }

  subscribe(options: Subscribe): AsyncIterable<Delivery> {
    const left = (subscription: EventStoreSubscription) => this.#subscriptions.delete(subscription);
    const subscription = new EventStoreSubscription(this.#calls, options, () => this.identity(), left);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async head(): Promise<Position> {
    return headOf(this.#calls);
  }

  async identity(): Promise<string> {
    refuseIfClosed(this.#calls);
    return identityOf(this.#calls, this.#appends);
  }

  forgets(stream: string): Promise<readonly string[]> {
    return forgottenOf(this.#calls, stream);
  }

  /** Waits for the appends under way, ends everything else, and leaves nothing open. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close() {
    for (const subscription of this.#subscriptions) void subscription.return();
    this.#closing.abort();
    await this.#appends.finished();
    const goodbye = { ms: GOODBYE_MS, what: 'The connection does not end' };
    await within(this.client.dispose(), goodbye).catch(() => undefined);
    await within(this.client.hangUp(), goodbye).catch(() => undefined);
  }

  #refuseWhenClosed() {
    refuseIfClosed(this.#calls);
  }
}

const defaultDeadline = 4_000;
const GOODBYE_MS = 500;
