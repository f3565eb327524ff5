/** The event store port. Its adapters are SQLite (embedded) and EventStoreDB; `describeEventLog` is their contract. */
export interface EventLog {
  /** Appends atomically to one stream and returns the revision and position of the last event. @throws LogError */
  append(stream: string, events: readonly NewEvent[], options: AppendOptions): Promise<AppendResult>;
  /**
   * Reads one stream from a revision on (inclusive). The first step throws `not-found` if the stream does not exist.
   */
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<StoredEvent>;
  /** All streams in the order of commits, without system events. */
  readAll(options?: ReadAllOptions): AsyncIterable<StoredEvent>;
  /** The events of `readAll` in pages, for rebuilds. Present only where pages are faster. */
  batches?(options?: ReadAllOptions): AsyncIterable<readonly StoredEvent[]>;
  /** Delivers everything after a checkpoint (exclusive) and does not end; at least once across reconnects. */
  subscribe(options: SubscribeOptions): AsyncIterable<Delivery>;
  /** The position of the last event, system events included; twenty zeros for an empty log. */
  head(): Promise<Position>;
  /** The id of this store, which never changes. A subscription refuses a checkpoint of another store. */
  identity(): Promise<string>;
  /** The number of events after a position; only where the store can count. */
  lag?(from: Position): Promise<number>;
  /**
   * The retention settings with which other tools let the store drop events of a stream, by the store's own names.
   * Empty if there are none. Present only where the store has such settings.
   */
  retentionSettings?(stream: string): Promise<readonly string[]>;
  /** False when the log writes nothing more, until a restart has checked it. Absent if the store does not say. */
  readonly healthy?: boolean;
  /**
   * The size in bytes of events that are written but not yet in the file itself. Present only where there is such a
   * file.
   */
  walBytes?(): number;
  /** True where the store keeps appends to several streams in the order in which they were sent. Absent: it may not. */
  readonly keepsAppendOrder?: boolean;
  close(): Promise<void>;
}

/** Reads single streams, and nothing else. */
export type StreamReader = Pick<EventLog, 'readStream'>;

export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | bigint;

/** A position in the whole log: opaque, twenty digits, strictly increasing, sorts as text. */
export type Position = string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type NewEvent = Readonly<{
  /** A UUID that the writer chooses. An append with the same ids is the same append. */
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
  /** Absent if the event was written without metadata; `{}` stays `{}`. */
  metadata?: unknown;
  /** The time at which the store wrote the event. No rule uses it. */
  created: Date;
}>;

/** Milliseconds for the whole call. The default is 4,000, so that an HTTP request is answered within 5 s. */
type WithDeadline = Readonly<{ deadline?: number }>;
export type AppendOptions = Readonly<{ expected: ExpectedRevision }> & WithDeadline;
export type ReadStreamOptions = Readonly<{
  from?: bigint | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
}> &
  WithDeadline;
export type ReadAllOptions = Readonly<{
  // eslint-disable-next-line @typescript-eslint/no-redundant-type-constituents -- says which words a position may be
  from?: Position | 'start' | 'end';
  direction?: 'forwards' | 'backwards';
  maxCount?: number;
  /** Only streams whose names begin with one of these. */
  streamPrefixes?: readonly string[];
}> &
  WithDeadline;
export type SubscribeOptions = Readonly<{
  after: ProjectionCheckpoint | 'start' | 'end';
  streamPrefixes: readonly string[];
}>;

/** The revision and position of the last event of an append. */
export type AppendResult = Readonly<{
  revision: bigint;
  position: Position;
  /** Whether the events were stored already, so that nothing was written. Absent if the store does not say. */
  repeated?: boolean;
}>;

export type Delivery =
  | Readonly<{ kind: 'event'; event: StoredEvent }>
  | Readonly<{ kind: 'checkpoint'; position: Position }>
  | Readonly<{ kind: 'caught-up' }>;

/** How far a reader has read in which store. Without `lastEvent` the reader has not handled an event yet. */
export type ProjectionCheckpoint = Readonly<{
  store: string;
  position: Position;
  lastEvent?: Readonly<{ position: Position; id: string }>;
}>;

/** The head of an empty log. */
export const EMPTY_LOG_POSITION: Position = '0'.repeat(20);

export const positionOf = (commit: bigint): Position => commit.toString().padStart(20, '0');
