import { serializeEvents } from '../serialized-event';
import { flattenPages } from '../reading/flattened-pages';
import type {
  ReadAllOptions,
  AppendResult,
  AppendOptions,
  Delivery,
  EventLog,
  NewEvent,
  Position,
  StoredEvent,
  ReadStreamOptions,
  SubscribeOptions,
} from '../port';
import type { EventStoreAddress } from './address';
import { type Appends, appendsOver } from './appends';
import { type ServerCalls, callsOf } from './calls';
import { checkEventStore, checkEventStoreThoroughly } from './server-checks';
import { type EventStoreClient, clientFor } from './client';
import { retentionSettingsOf } from './truncated-streams';
import { identityOf } from './identity';
import { headOf, serverPagesOfAll, serverPagesOfStream, refuseIfClosed } from './pages';
import { EventStoreSubscription } from './subscription/subscription';
import { withTimeout } from './time-bound';

export type EventStoreOptions = Readonly<{
  address: EventStoreAddress;
  /**
   * `beside`: the command line opens a log that a server process uses. Only the server process checks the options of
   * the EventStoreDB servers and the streams' retention settings, because these checks take long.
   */
  role?: 'server' | 'beside';
  warn?: (sentence: string) => void;
  /** The maximum time until the server's first answer, in milliseconds; without an answer, Charter refuses to start. */
  startWithin?: number;
}>;

/**
 * The event log on an EventStoreDB or KurrentDB server. Charter reads from the leader of the cluster, because a
 * decision must include every acknowledged event.
 */
export class EventStoreLog implements EventLog {
  readonly #calls: ServerCalls;
  readonly #appends: Appends;
  readonly #subscriptions = new Set<EventStoreSubscription>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly client: EventStoreClient,
    address: EventStoreAddress,
  ) {
    this.#calls = callsOf(client, address, address.numbers.defaultDeadline ?? defaultDeadline, this.#closing.signal);
    this.#appends = appendsOver(this.#calls);
  }

  /** Connects, and creates the store's identity if the store has none. @throws StoreRefused */
  static async open(options: EventStoreOptions): Promise<EventStoreLog> {
    const { address, role = 'server', warn = process.emitWarning, startWithin = 10_000 } = options;
    const log = new EventStoreLog(await clientFor(address), address);
    try {
      await checkEventStore(log.#calls, address, startWithin);
      if (role === 'server') await checkEventStoreThoroughly(log.#calls, address, warn);
      await log.identity();
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult> {
    this.#refuseWhenClosed();
    const { expected, deadline = this.#calls.ms } = options;
    return this.#appends.append(stream, serializeEvents(stream, events, expected), expected, deadline);
  }

  readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<StoredEvent> {
    return flattenPages(serverPagesOfStream(this.#calls, stream, options), (event) => event);
  }

  readAll(options: ReadAllOptions = {}): AsyncIterable<StoredEvent> {
    return flattenPages(serverPagesOfAll(this.#calls, options), (event) => event);
  }

  /** The events of `readAll` in pages. */
  batches(options: ReadAllOptions = {}): AsyncGenerator<readonly StoredEvent[], undefined> {
    return serverPagesOfAll(this.#calls, options);
  }

  subscribe(options: SubscribeOptions): AsyncIterable<Delivery> {
    const ended = (subscription: EventStoreSubscription) => this.#subscriptions.delete(subscription);
    const subscription = new EventStoreSubscription(this.#calls, options, () => this.identity(), ended);
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

  retentionSettings(stream: string): Promise<readonly string[]> {
    return retentionSettingsOf(this.#calls, stream);
  }

  /** Waits for pending appends, ends reads and subscriptions, and closes the connection. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close() {
    for (const subscription of this.#subscriptions) void subscription.return();
    this.#closing.abort();
    await this.#appends.finished();
    const limit = { ms: CLOSE_MS, what: 'The connection does not end' };
    await withTimeout(this.client.dispose(), limit).catch(() => undefined);
    await withTimeout(this.client.closeChannel(), limit).catch(() => undefined);
  }

  #refuseWhenClosed() {
    refuseIfClosed(this.#calls);
  }
}

const defaultDeadline = 4_000;
const CLOSE_MS = 500;
