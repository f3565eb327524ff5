/**
 * The port for event stores. The adapters of this port are SQLite (embedded) and EventStoreDB. The specs in
 * `describeEventLog` define the port's contract.
 */
export interface EventLog {
  /** Appends atomically to one stream and returns the revision and position of the last event. @throws LogError */
  append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult>;
  /**
   * Reads one stream, beginning with the event at a revision. The first step of the iteration throws `not-found` if the
   * stream does not exist.
   */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<StoredEvent>;
  /**
   * Reads the same events as `readStream`, in pages, with the JSON texts that the store contains. Only adapters whose
   * store contains texts have this function.
   */
  readStreamWithTexts?(stream: string, options?: ReadStreamOptions): AsyncIterable<readonly EventWithTexts[]>;
  /** Reads all streams in the order of commits, without system events. */
  readAll(options?: ReadAllOptions): AsyncIterable<StoredEvent>;
  /**
   * The same events as `readAll`, in pages, for rebuilds. Only adapters that read pages faster than single events have
   * this function.
   */
  batches?(options?: BatchOptions): AsyncIterable<readonly EventToFold[]>;
  /**
   * Delivers every event after a checkpoint, and then new events, until the consumer ends the subscription. After a
   * lost connection, a subscription can deliver an event twice.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<Delivery>;
  /** The position of the last event, including system events; twenty zeros if the log is empty. */
  head(): Promise<Position>;
  /** The id of this store, which never changes. A subscription refuses a checkpoint from another store. */
  identity(): Promise<string>;
  /** The number of events after a position. Only adapters whose store can count have this function. */
  lag?(from: Position): Promise<number>;
  /**
   * The names of the settings with which another tool has made the store drop events of this stream. The list is empty
   * if the stream has no retention setting. Only adapters whose store has retention settings have this function.
   */
  retentionSettings?(stream: string): Promise<readonly string[]>;
  /**
   * False if the log writes nothing more until a restart has checked its file. Absent if the adapter cannot determine
   * this value.
   */
  readonly healthy?: boolean;
  /**
   * The size in bytes of the events that are on disk but not yet moved into the store's main file. Only adapters whose
   * store has a write-ahead log have this function.
   */
  walBytes?(): number;
  /**
   * The limits of one transaction of the store. Appends that the process sends in one tick of the event loop share a
   * transaction, if they are within these limits and no other append waits. Absent if the store writes each append in a
   * separate transaction.
   */
  readonly transaction?: TransactionLimits;
  /**
   * A value that changes with each commit of any process, read synchronously. Only adapters whose store is a file have
   * this function.
   */
  version?(): unknown;
  close(): Promise<void>;
}

/** The maximum numbers of appends, events and bytes in one transaction. */
export type TransactionLimits = Readonly<{ appends: number; events: number; bytes: number }>;

/** The function of the log that reads one stream. */
export type StreamReader = Pick<EventLog, 'readStream'>;

/** `readStream`, and `readStreamWithTexts` if the adapter has it. */
export type StreamReaderWithTexts = Pick<EventLog, 'readStream' | 'readStreamWithTexts'>;

export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | bigint;

/**
 * A position in the whole log: twenty digits that sort as text. Each later event has a greater position. Each store has
 * its own positions, so a position has no meaning in another store.
 */
export type Position = string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type NewEvent = Readonly<{
  /** A UUID that the writer chooses. A repeated append has the same ids, and writes nothing. */
  id: string;
  type: string;
  data: object;
  metadata?: object;
}>;

export type StoredEvent = Readonly<{
  id: string;
  type: string;
  stream: string;
  revision: bigint;
  position: Position;
  data: unknown;
  /** Absent if the event was written without metadata; empty metadata are `{}`. */
  metadata?: unknown;
  /** The moment when the store wrote the event. No business rule uses this moment. */
  created: Date;
}>;

/** The fields of an event that a fold needs. SQLite's adapter parses `data` and `metadata` at each access. */
export type EventToFold = Omit<StoredEvent, 'id' | 'created'>;

/** An event, and the JSON texts of its data and metadata as the store contains them. */
export type EventWithTexts = Readonly<{
  id: string;
  type: string;
  stream: string;
  revision: number;
  position: Position;
  /** The complete event. SQLite's adapter parses the texts only when a caller reads this field. */
  event: StoredEvent;
  /** Absent if the adapter does not have the texts, or if the event was written without metadata. */
  texts?: EventTexts | undefined;
}>;

/** The JSON texts of an event's data and metadata. */
export type EventTexts = Readonly<{ data: string; metadata: string }>;

/**
 * The maximum number of milliseconds for the whole call. The default is 4,000, so that Charter answers an HTTP request
 * within 5 s.
 */
type WithDeadline = Readonly<{ deadline?: number }>;
export type AppendOptions = Readonly<{ expected: ExpectedRevision }> & WithDeadline;
export type ReadStreamOptions = Readonly<{
  from?: bigint | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
  /** The result for a stream that does not exist: no event, or (by default) an error of kind `not-found`. */
  absent?: 'empty' | 'error';
}> &
  WithDeadline;
export type ReadAllOptions = Readonly<{
  // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- names the two allowed words
  from?: Position | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
  /** The prefixes of stream names: the read delivers only streams whose names begin with a prefix of the list. */
  streamPrefixes?: readonly string[];
}> &
  WithDeadline;
export type BatchOptions = Omit<ReadAllOptions, 'direction' | 'maxCount'>;
export type SubscribeOptions = Readonly<{
  /**
   * `'end'` is the end of the log when `subscribe` is called. If the store is unavailable then, `'end'` is the end of
   * the log at the first successful read, so the subscription does not deliver events that were appended meanwhile.
   */
  after: ProjectionCheckpoint | 'start' | 'end';
  streamPrefixes: readonly string[];
}>;

/** The revision and position of the last event of an append. */
export type AppendResult = Readonly<{
  revision: bigint;
  position: Position;
  /**
   * Whether the store already contained these events, so that the append wrote nothing. Absent if the adapter cannot
   * determine this value.
   */
  repeated?: boolean;
}>;

export type Delivery =
  | Readonly<{ kind: 'event'; event: StoredEvent }>
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caught-up' }>;

/**
 * The progress of a reader of the log: the log's store, the position up to which the reader has read, and the last
 * event that the reader has handled. Without `lastEvent`, the reader has not handled any event yet.
 */
export type ProjectionCheckpoint = Readonly<{
  store: string;
  position: Position;
  lastEvent?: Readonly<{ position: Position; id: string }>;
}>;

/** The value that `head` returns for an empty log. */
export const EMPTY_LOG_POSITION: Position = '0'.repeat(20);

/**
 * The last possible position: 63 bits. Until a subscription's filter has matched an event, EventStoreDB 24.2 reports −1
 * as an unsigned 64-bit number. The adapter drops EventStoreDB's −1, because it is greater than the last possible
 * position.
 */
export const POSITION_MAX: Position = (2n ** 63n - 1n).toString().padStart(20, '0');

export const positionOf = (commit: bigint | number): Position => commit.toString().padStart(20, '0');
