import { CharterProblem, isRefusedAccess } from './errors.js';
import type { ClientListener, EntitlementStore, Fetched, FreshnessState } from './entitlement-store.js';
import type { Observable } from './observable.js';
import { limitedBy, pause, untilAborted } from './requests/pause.js';

/** Says that the entitlements of an organization have changed, at this revision. */
export type ChangeNotice = Readonly<{ organization: string; revision: number }>;

export type StreamEvents = Readonly<{
  /** The stream is open. `resumed`: it begins directly after the last notice of the earlier stream. */
  opened: (resumed: boolean) => void;
  alive: () => void;
  notice: (notice: ChangeNotice) => void;
}>;

/** The place from which a connection gets values and notices. */
export type ConnectionSource = Readonly<{
  /** Follows the stream of notices. Resolves when the stream ends. */
  follow: (on: StreamEvents, signal: AbortSignal) => Promise<void>;
  /** @param atLeast the revision that the values must include; negative if any revision is enough */
  fetch: (store: EntitlementStore, atLeast: number, signal: AbortSignal) => Promise<Fetched>;
}>;

/** All durations of a connection, in milliseconds. */
export type Intervals = Readonly<{
  /** After this time without a byte, the client ends the stream. Charter sends a byte every 15 s. */
  deadAfter: number;
  /** The longest wait for the beginning of an answer. */
  answer: number;
  /** The interval between two polls while no stream is open. */
  poll: number;
  /** The shortest and the longest wait before the next stream. */
  reconnect: readonly [number, number];
  /** The shortest wait before the next request after Charter refused the credentials. */
  refused: number;
}>;

export const defaultIntervals: Intervals = {
  deadAfter: 35_000,
  answer: 10_000,
  poll: 30_000,
  reconnect: [1_000, 28_000],
  refused: 30_000,
};

/** The rule about values older than `ms`: the client keeps them (`last-known`) or drops them (`closed`). */
export type MaxStale = Readonly<{ ms: number; then: 'last-known' | 'closed' }>;

const MOST_REQUESTS = 8;
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Keeps the values of all organizations of a client current. One loop is the only place that opens a stream, polls or
 * waits, so two timers can never start two streams.
 */
export class EntitlementConnection {
  /** The refused credentials, until a request succeeds again. */
  refusal: unknown;
  readonly #source: ConnectionSource;
  readonly #intervals: Intervals;
  readonly #maxStale: MaxStale;
  readonly #stores = new Map<string, EntitlementStore>();
  readonly #queue = new Set<EntitlementStore>();
  readonly #failed = new Set<EntitlementStore>();
  /** The stores whose values were current when the last stream ended. */
  readonly #current = new Set<EntitlementStore>();
  readonly #stopped = new AbortController();
  #stream: AbortController | undefined;
  #openings = 0;
  #isOpen = false;
  #aliveAt = new Date();
  #retriedAt = -Infinity;
  #running = 0;
  #closing: ReturnType<typeof setTimeout> | undefined;
  #closeAt = Infinity;
  #loop: Promise<void> | undefined;

  readonly #clientChanges: Observable<Parameters<ClientListener>>;

  constructor(
    source: ConnectionSource,
    intervals: Intervals,
    maxStale: MaxStale,
    clientChanges: Observable<Parameters<ClientListener>>,
  ) {
    [this.#source, this.#intervals, this.#maxStale, this.#clientChanges] = [source, intervals, maxStale, clientChanges];
  }

  get state(): FreshnessState {
    return this.refusal ? 'fatal' : this.#isOpen ? 'fresh' : 'stale';
  }

  hold(store: EntitlementStore): void {
    this.#stores.set(store.id, store);
    if (this.refusal) store.fail(this.refusal);
    else this.#enqueue(store);
    this.#closeLater(store);
    void (this.#loop ??= this.#run());
  }

  release(store: EntitlementStore): void {
    for (const set of [this.#queue, this.#failed, this.#current]) set.delete(store);
    this.#stores.delete(store.id);
    store.drop();
  }

  close(): void {
    clearTimeout(this.#closing);
    this.#closeAt = 0; // so that no further timer begins
    this.#stopped.abort();
    this.#stream?.abort();
  }

  /**
   * Fetches the values of one organization, after the earlier requests for them.
   *
   * @param asked the revision that the values must include. Only this request demands it: if the organization does not
   *   have the revision, later requests must not fail.
   * @throws if the request fails
   */
  refresh(store: EntitlementStore, asked?: number): Promise<void> {
    const fetched = store.last.then(() => this.#fetchNow(store, asked));
    store.last = fetched.catch(() => undefined);
    return fetched;
  }

  async #fetchNow(store: EntitlementStore, asked?: number): Promise<void> {
    const [opening, atLeast] = [this.#openings, Math.max(store.wanted, asked ?? -1)];
    const { signal, end } = limitedBy(this.#stopped.signal, this.#intervals.answer);
    try {
      // The program supplies `ticket` and `fetch`. They may ignore the signal, and must not delay the next request.
      const aborted = untilAborted(signal).then(() => Promise.reject(signal.reason as Error));
      const fetched = await Promise.race([this.#source.fetch(store, atLeast, signal), aborted]);
      if (this.#stores.get(store.id) !== store || this.refusal) return; // the client has dropped the values meanwhile
      store.apply(fetched);
    } catch (error) {
      store.failure = this.refusal ?? error;
      if (isRefusedAccess(error)) this.#refuse(error);
      // On the routes of OFREP, Charter answers 400 for an organization that the caller may not see. A refused revision
      // concerns only its own request.
      else if (asked === undefined && error instanceof CharterProblem && (error.status === 404 || error.status === 400))
        store.fail(error);
      else if (this.#stores.get(store.id) === store) this.#failed.add(store);
      throw error;
    } finally {
      // After an error the values may lack a change. After a restore, Charter may not have the revision of new values.
      this.#current.delete(store);
      end();
    }
    this.#failed.delete(store);
    // Each answer includes `atLeast`. A 304 leaves an older revision in the store: later events changed no value.
    if (store.wanted > Math.max(atLeast, store.revision ?? -1)) this.#enqueue(store);
    else if (this.#isOpen && opening === this.#openings) store.become('fresh');
    else if (store.state === 'stale') store.since = new Date();
    else if (store.state === 'fatal') store.become('stale');
    this.#closeLater(store);
  }

  async #run(): Promise<void> {
    let failures = 0;
    let polledAt = -Infinity;
    while (!this.#stopped.signal.aborted) {
      const { lasted, isSilent } = await this.#follow();
      failures = lasted > this.#intervals.answer ? 0 : failures + 1;
      // A proxy may buffer the notices of every stream, so the client polls after a silent stream.
      if (!this.refusal && (isSilent || failures > 0) && performance.now() - polledAt >= this.#intervals.poll) {
        polledAt = performance.now();
        await this.#poll();
      }
      const [least, most] = this.#intervals.reconnect;
      const wait = Math.min(most, least * 2 ** failures) * (0.5 + Math.random() / 2);
      await pause(
        this.refusal ? this.#intervals.refused * (1 + Math.random()) : Math.max(least / 2, wait),
        this.#stopped.signal,
      );
    }
  }

  /**
   * Follows one stream until it ends or is silent for `deadAfter`. Resolves with its duration in milliseconds, which is
   * negative if the stream did not open, and whether the stream was silent.
   */
  async #follow(): Promise<Readonly<{ lasted: number; isSilent: boolean }>> {
    const stream = (this.#stream = new AbortController());
    let openedAt = Infinity;
    let isSilent = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitFor = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isSilent = true;
        stream.abort();
      }, ms);
    };
    const on: StreamEvents = {
      opened: (resumed) => {
        if (stream.signal.aborted) return;
        openedAt = performance.now();
        this.#opened(resumed);
        on.alive();
      },
      alive: () => {
        if (stream.signal.aborted) return;
        this.#aliveAt = new Date();
        waitFor(this.#intervals.deadAfter);
        this.#retryFailed();
      },
      notice: (notice) => {
        if (!stream.signal.aborted) this.#noticed(notice);
      },
    };
    waitFor(this.#intervals.answer);
    const followed = this.#source.follow(on, stream.signal).catch((error: unknown) => {
      if (!stream.signal.aborted && isRefusedAccess(error)) this.#refuse(error);
    });
    await Promise.race([followed, untilAborted(stream.signal)]);
    clearTimeout(timer);
    stream.abort();
    this.#lost();
    return { lasted: performance.now() - openedAt, isSilent };
  }

  #opened(resumed: boolean): void {
    this.refusal = undefined;
    this.#isOpen = true;
    this.#openings += 1;
    this.#clientChanges.announce([], this.state);
    for (const store of this.#stores.values()) {
      if (resumed && this.#current.has(store)) store.become('fresh');
      else {
        // After a restore, Charter may have lower revisions, or other events at the revision in the ETag.
        if (!resumed) store.wanted = -1;
        store.etag = undefined;
        this.#enqueue(store);
      }
    }
  }

  #lost(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#current.clear();
    for (const store of this.#stores.values()) {
      if (store.state !== 'fresh') continue;
      this.#current.add(store);
      store.become('stale', this.#aliveAt);
      this.#closeLater(store);
    }
    this.#clientChanges.announce([], this.state);
  }

  #noticed({ organization, revision }: ChangeNotice): void {
    const store = this.#stores.get(organization);
    // Values can also change without a new revision: an override ends before an event records its end.
    if (!store || store.revision! > revision) return; // false without values
    store.wanted = revision;
    store.etag = undefined; // after a restore, the ETag may belong to another event at this revision
    this.#enqueue(store);
  }

  /** Repeats failed requests: their values may be old, although the stream is open. */
  #retryFailed(): void {
    if (this.#failed.size === 0 || performance.now() - this.#retriedAt < this.#intervals.reconnect[0]) return;
    this.#retriedAt = performance.now();
    for (const store of this.#failed) this.#enqueue(store);
  }

  #enqueue(store: EntitlementStore): void {
    this.#queue.add(store);
    if (this.#running < MOST_REQUESTS) void this.#work();
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (const store of this.#queue) {
      this.#queue.delete(store);
      if (this.#stopped.signal.aborted || this.refusal) break;
      await this.refresh(store).catch(() => {
        if (store.state === 'fresh') store.become('stale', this.#aliveAt);
        this.#closeLater(store);
      });
    }
    this.#running -= 1;
  }

  /** Fetches all values, until the first request without an answer. */
  async #poll(): Promise<void> {
    const rest = [...this.#stores.values()];
    const worker = async () => {
      for (let store = rest.pop(); store; store = rest.pop())
        await this.refresh(store).catch((error: unknown) => {
          if (!(error instanceof CharterProblem) || this.refusal) rest.length = 0;
        });
    };
    await Promise.all(Array.from({ length: MOST_REQUESTS }, worker));
  }

  #refuse(error: unknown): void {
    this.refusal = error;
    this.#current.clear();
    for (const store of this.#stores.values()) store.fail(error);
    this.#clientChanges.announce([], this.state);
    this.#stream?.abort();
  }

  /** Sets the timer for the moment at which these values become older than `maxStale`. */
  #closeLater(store: EntitlementStore): void {
    const at = store.since.getTime() + this.#maxStale.ms;
    if (this.#maxStale.then !== 'closed' || store.state !== 'stale' || !store.values || at >= this.#closeAt) return;
    clearTimeout(this.#closing);
    this.#closeAt = at;
    this.#closing = setTimeout(() => this.#closeOld(), Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER));
  }

  #closeOld(): void {
    this.#closeAt = Infinity;
    for (const store of this.#stores.values()) {
      if (store.state === 'stale' && store.since.getTime() + this.#maxStale.ms <= Date.now()) store.drop();
      this.#closeLater(store);
    }
  }
}
