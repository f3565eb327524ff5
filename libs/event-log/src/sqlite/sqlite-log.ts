import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { serializeEvents } from '../serialized-event';
import { isLogError, LogError } from '../errors';
import { flattenPages } from '../reading/flattened-pages';
import { positionOf } from '../port';
import type {
  BatchOptions,
  ReadAllOptions,
  AppendResult,
  AppendOptions,
  Delivery,
  EventLog,
  EventToFold,
  EventWithTexts,
  NewEvent,
  Position,
  StoredEvent,
  ReadStreamOptions,
  SubscribeOptions,
} from '../port';
import { positionNumber } from '../reading/read-rule';
import { backUp } from './backup';
import { failureOf } from './failure';
import { type ReaderQuery, numberOf, pagesOfAll, pagesOfStream, pagesToFold } from './reading/pages';
import { type TableReader, tableReader } from './reading/table-reader';
import { startOf } from './reading/subscription-start';
import { openStore, type SqliteLogOptions, type SqliteStore } from './store';
import { type SubscriptionSource, SqliteSubscription } from './reading/subscription';
import { type CommitSignal, commitSignal } from './reading/commit-signal';
import { transactionLimits } from './writing/messages';
import { type WritingThreads, writingThreads } from './writing/writing-threads';

/** The event log in one SQLite file. The log writes in a separate thread and reads in the thread of the caller. */
export class SqliteLog implements EventLog {
  readonly #reader: TableReader;
  readonly #wake: CommitSignal;
  readonly #subscriptions = new Set<SqliteSubscription>();
  #writing: WritingThreads | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly store: SqliteStore,
    private readonly options: SqliteLogOptions,
  ) {
    this.#reader = tableReader(store.reader);
    this.#wake = commitSignal(() => this.version());
  }

  /** Opens a store, or creates it if the file does not exist. @throws StoreRefused */
  static async open(options: SqliteLogOptions): Promise<SqliteLog> {
    const log = new SqliteLog(await openStore(options), options);
    if (options.role === 'beside') return log;
    try {
      await log.#writer().ready();
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  async append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult> {
    this.#refuseWhenClosed();
    const { expected, deadline = defaultDeadline } = options;
    return this.#writer().append({ stream, expected, deadline, events: serializeEvents(stream, events, expected) });
  }

  readStream(stream: string, options: ReadStreamOptions = {}): AsyncIterable<StoredEvent> {
    return flattenPages(pagesOfStream(this.#query, stream, options), ({ event }) => event);
  }

  /** Reads the events of `readStream` with their JSON texts, in pages of at most 500 events. */
  readStreamWithTexts(
    stream: string,
    options: ReadStreamOptions = {},
  ): AsyncGenerator<readonly EventWithTexts[], undefined> {
    return pagesOfStream(this.#query, stream, options);
  }

  readAll(options: ReadAllOptions = {}): AsyncIterable<StoredEvent> {
    return flattenPages(pagesOfAll(this.#query, options), (event) => event);
  }

  /** The events of `readAll` in pages of at most 500, with the fields that a fold needs. */
  batches(options: BatchOptions = {}): AsyncGenerator<readonly EventToFold[], undefined> {
    return pagesToFold(this.#query, options);
  }

  subscribe({ after, streamPrefixes }: SubscribeOptions): AsyncIterable<Delivery> {
    const source: SubscriptionSource = {
      start: () => this.#read((reader) => startOf(after, this.store.id, reader)),
      head: () => this.#read((reader) => reader.head()),
      after: (position, upTo) => this.#read((reader) => reader.after(position, upTo, streamPrefixes)),
      wake: this.#wake,
    };
    const subscription = new SqliteSubscription(source, (ended) => this.#subscriptions.delete(ended));
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async head(): Promise<Position> {
    return positionOf(BigInt(await this.#query((reader) => reader.head())));
  }

  identity(): Promise<string> {
    return this.#query(() => this.store.id);
  }

  /**
   * Computes the number of events after `from` as a difference of positions. The number is exact and includes system
   * events, because this adapter's positions have no gaps.
   */
  async lag(from: Position): Promise<number> {
    const after = numberOf(positionNumber(from));
    return Math.max(0, (await this.#query((reader) => reader.head())) - after);
  }

  /** False if the log writes nothing more until a restart has checked the file. */
  get healthy(): boolean {
    return !this.#closing && !this.#writing?.queue.stopped;
  }

  /** The writer commits the appends of one tick together, within these limits. */
  readonly transaction = transactionLimits;

  /** The size of the WAL in bytes: events that are on disk but not yet moved into the main file. */
  walBytes(): number {
    return statSync(`${this.options.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * A value that changes after each commit. If the file cannot be read, returns a new value: the caller then reads the
   * log, and that read throws the error.
   */
  version(): unknown {
    try {
      return this.#reader.version();
    } catch {
      return Symbol('unknown');
    }
  }

  /**
   * Copies the present state of the log; processes may use the log meanwhile.
   * @throws LogError `invalid` if `to` exists
   */
  async backup(to: string): Promise<void> {
    this.#refuseWhenClosed();
    await backUp(this.options.file, to);
  }

  /** Finishes pending appends, ends every subscription, and closes every file and thread. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    for (const subscription of this.#subscriptions) void subscription.return();
    await this.#writing?.close();
    this.store.reader.close();
    this.store.release();
  }

  /** Starts the threads at the first append, because most commands of the command line only read. */
  #writer() {
    const { file, warn = process.emitWarning } = this.options;
    this.#writing ??= writingThreads(file, () => this.#wake.now(), warn);
    return this.#writing.queue;
  }

  readonly #query: ReaderQuery = async (read, deadline = defaultDeadline) => {
    for (const end = performance.now() + deadline; ;) {
      try {
        return this.#read(read);
      } catch (error) {
        if (!isLogError(error, 'unavailable') || performance.now() > end) throw error;
        await pause(10);
      }
    }
  };

  #read<Answer>(read: (reader: TableReader) => Answer): Answer {
    this.#refuseWhenClosed();
    try {
      return read(this.#reader);
    } catch (cause) {
      if (cause instanceof LogError) throw cause;
      const { kind, why } = failureOf(cause);
      throw new LogError(kind === 'busy' ? 'unavailable' : 'internal', `The log cannot be read: ${why}.`, { cause });
    }
  }

  #refuseWhenClosed() {
    if (this.#closing) throw new LogError('closed', 'The log is closed.');
  }
}

const defaultDeadline = 4000;
