import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { serializeEvents } from '../serialized-event';
import { isLogError, LogError } from '../errors';
import { flattenPages } from '../reading/flattened-pages';
import { positionOf } from '../port';
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
import { positionNumber } from '../reading/read-rule';
import { backUp } from './backup';
import { failureOf } from './failure';
import { type ReaderQuery, numberOf, pagesOfAll, pagesOfStream } from './reading/pages';
import { type TableReader, tableReader } from './reading/table-reader';
import { startOf } from './reading/subscription-start';
import { openStore, type SqliteLogOptions, type SqliteStore } from './store';
import { type SubscriptionSource, SqliteSubscription } from './reading/subscription';
import { type CommitSignal, commitSignal } from './reading/commit-signal';
import { type WritingThreads, writingThreads } from './writing/writing-threads';

/** The event log in one SQLite file. Writes in a thread of its own, reads in the calling one. */
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
    this.#wake = commitSignal(() => this.#version());
  }

  /** Opens a store, or founds it where there is none. Rejects with `StoreRefused`, one clear sentence. */
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
    return flattenPages(pagesOfStream(this.#ask, stream, options));
  }

  readAll(options: ReadAllOptions = {}): AsyncIterable<StoredEvent> {
    return flattenPages(this.batches(options));
  }

  /** What `readAll` reads, up to 500 events at a time, for whoever takes many. */
  batches(options: ReadAllOptions = {}): AsyncGenerator<readonly StoredEvent[], undefined> {
    return pagesOfAll(this.#ask, options);
  }

  subscribe({ after, streamPrefixes }: SubscribeOptions): AsyncIterable<Delivery> {
    const source: SubscriptionSource = {
      head: () => this.#answer((reader) => reader.head()),
      after: (position, upTo) => this.#answer((reader) => reader.after(position, upTo, streamPrefixes)),
      wake: this.#wake,
    };
    const start = orError(() => this.#answer((reader) => startOf(after, this.store.id, reader)));
    const subscription = new SqliteSubscription(source, start, (left) => this.#subscriptions.delete(left));
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async head(): Promise<Position> {
    return positionOf(BigInt(await this.#ask((reader) => reader.head())));
  }

  identity(): Promise<string> {
    return this.#ask(() => this.store.id);
  }

  /** Exact, because positions have no gaps here; system events included. */
  async lag(from: Position): Promise<number> {
    const place = numberOf(positionNumber(from));
    return Math.max(0, (await this.#ask((reader) => reader.head())) - place);
  }

  /** False once nothing can be written any more, until a restart has looked at the file. */
  get healthy(): boolean {
    return !this.#closing && !this.#writing?.queue.stopped;
  }

  /** The size of what was written and not yet brought into the file, in bytes. */
  walBytes(): number {
    return statSync(`${this.options.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Copies the log as it is at this moment, beside its use. Rejects with `invalid` if there is something at `to`. */
  async backup(to: string): Promise<void> {
    this.#refuseWhenClosed();
    await backUp(this.options.file, to);
  }

  /** Finishes the appends under way, ends every subscription, and leaves nothing open. */
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

  /** Begun with the first append, as the command line mostly reads. */
  #writer() {
    const { file, warn = process.emitWarning } = this.options;
    this.#writing ??= writingThreads(file, () => this.#wake.now(), warn);
    return this.#writing.queue;
  }

  readonly #ask: ReaderQuery = async (question, deadline = defaultDeadline) => {
    for (const end = performance.now() + deadline; ;) {
      try {
        return this.#answer(question);
      } catch (error) {
        if (!isLogError(error, 'unavailable') || performance.now() > end) throw error;
        await pause(10);
      }
    }
  };

  #answer<Answer>(question: (reader: TableReader) => Answer): Answer {
    this.#refuseWhenClosed();
    try {
      return question(this.#reader);
    } catch (cause) {
      if (cause instanceof LogError) throw cause;
      const { kind, why } = failureOf(cause);
      throw new LogError(kind === 'busy' ? 'unavailable' : 'internal', `The log cannot be read: ${why}.`, { cause });
    }
  }

  /** Whoever waits finds out by reading why it cannot be asked for. */
  #version(): unknown {
    try {
      return this.#reader.version();
    } catch {
      return Symbol('unknown');
    }
  }

  #refuseWhenClosed() {
    if (this.#closing) throw new LogError('closed', 'The log is closed.');
  }
}

const defaultDeadline = 4000;

function orError<Answer>(answer: () => Answer): Answer | Error {
  try {
    return answer();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
